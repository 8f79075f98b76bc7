import { join } from "node:path";
import { checkRows } from "../limits/reading-limits.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { indexOf, invalid, nameOf, nodeLines, rowsOf, splitCodes, writeFeatures, writeLines } from "./ogb-rows.ts";
import { splitOf } from "./ogb-split.ts";

/** Names of types become names of files. */
const typeName = "[A-Za-z][\\w-]{0,63}";
const ofCounts = /^(?:(.*)\/)?num-node-dict\.csv(?:\.gz)?$/;
const ofSplitTypes = /(^|\/)split\/[^/]+\/nodetype-has-split\.csv(\.gz)?$/;
const ofRelation = new RegExp(`^relations/(${typeName}?___${typeName}?___${typeName})/edge\\.csv(?:\\.gz)?$`);
const ofType = new RegExp(`^(node-feat|node-label)/(${typeName})/\\1\\.csv(?:\\.gz)?$`);

/**
 * The raw folders of the Open Graph Benchmark's typed graphs, such as `ogbn-mag`, among the names:
 * `num-node-dict.csv.gz` with the number of nodes of each type, a folder `relations/<source>___<name>___<target>`
 * with the edges of each relation, and `node-feat/<type>`, `node-label/<type>`, `split/<how>/<type>`.
 *
 * https://ogb.stanford.edu/docs/nodeprop/#ogbn-mag
 */
export function findOgbTyped(names: readonly string[]): Bundle[] {
  return names.flatMap((anchor) => {
    const match = ofCounts.exec(anchor);
    if (!match) return [];
    const folder = match[1] ?? "";
    const prefix = folder === "" ? "" : `${folder}/`;
    const sources = new Map([["counts", anchor]]);
    for (const name of names.filter((one) => one.startsWith(prefix) && one !== anchor)) {
      const inner = name.slice(prefix.length);
      const relation = ofRelation.exec(inner)?.[1];
      const [, what, type] = ofType.exec(inner) ?? [];
      if (relation !== undefined) sources.set(`relation:${relation}`, name);
      else if (what !== undefined) sources.set(`${what}:${type}`, name);
      // Lists of what else there is; nothing of them is read.
      else if (isListing(inner)) sources.set(`listing:${inner}`, name);
    }
    const beside = names.find((name) => name.startsWith(prefix.replace(/raw\/$/, "")) && ofSplitTypes.test(name));
    if (beside !== undefined) sources.set("listing:split", beside);
    for (const type of new Set(names.flatMap((name) => /\/split\/[^/]+\/([^/]+)\//.exec(`/${name}`)?.[1] ?? [])))
      for (const [part, name] of splitOf(folder, names, type)) sources.set(`${type}:${part}`, name);
    const isWhole = [...sources.keys()].some((source) => source.startsWith("relation:"));
    const write = (context: BundleContext) => writeOgbTyped(context, [...sources.keys()]);
    return isWhole ? [{ anchor, sources, write }] : [];
  });
}

function isListing(inner: string): boolean {
  return /^(nodetype-has-(feat|label)|triplet-list|relations\/[^/]+\/(edge_reltype|num-edge-list)|node-feat\/[^/]+\/node_year)\.csv(\.gz)?$/.test(
    inner,
  );
}

/** @throws GnnError DATASET_FORMAT_INVALID, DATASET_VALUE_INVALID with file and line, DATASET_LIMIT_EXCEEDED */
async function writeOgbTyped(context: BundleContext, sources: readonly string[]): Promise<WrittenBundle> {
  const counts = await countsOf(context);
  const tables: string[] = [];
  for (const [type, numNodes] of counts) {
    const split = await splitCodes(context, numNodes, `${type}:`);
    await writeLines(join(context.dir, `${type}.csv`), nodeLines(context, numNodes, `node-label:${type}`, split));
    tables.push(`${type}.csv`);
    if ((await nameOf(context, `node-feat:${type}`)) === null) continue;
    await writeFeatures(context, `node-feat:${type}`, numNodes, join(context.dir, `${type}.npy`));
    tables.push(`${type}.npy`);
  }
  for (const source of sources.filter((one) => one.startsWith("relation:"))) {
    const relation = source.slice("relation:".length);
    await writeLines(join(context.dir, `${relation}.csv`), edgeLines(context, source, relation, counts));
    tables.push(`${relation}.csv`);
  }
  const years = sources.filter((source) => source.includes("node_year"));
  const note = "node_year is left out: the split follows from it.";
  return { tables, notes: years.length > 0 ? [note] : [] };
}

/** Names of types in the first line, how many nodes each has in the second */
async function countsOf(context: BundleContext): Promise<Map<string, number>> {
  const file = (await nameOf(context, "counts")) ?? "";
  const rows: (readonly string[])[] = [];
  for await (const { fields } of rowsOf(context, "counts", 3)) rows.push(fields);
  const [types = [], numbers = []] = rows;
  const bad = types.find((type) => !new RegExp(`^${typeName}$`).test(type));
  if (rows.length !== 2 || types.length !== numbers.length || new Set(types).size < types.length || bad !== undefined)
    throw invalid(file, "expected a line with names of types and one with how many nodes each has");
  return new Map(
    types.map((type, i) => {
      const count = indexOf(numbers[i], file, 2);
      checkRows(file, count, context.limits);
      return [type, count];
    }),
  );
}

async function* edgeLines(
  context: BundleContext,
  source: string,
  relation: string,
  counts: ReadonlyMap<string, number>,
) {
  const [from = "", , to = ""] = relation.split("___");
  const most = [from, to].map((type) => counts.get(type));
  const name = (await nameOf(context, source)) ?? "";
  if (most.includes(undefined))
    throw invalid(name, `it joins ${from} and ${to}; num-node-dict names ${[...counts.keys()].join(", ")}`);
  yield from === to ? "src,dst\n" : `${from},${to}\n`;
  for await (const { line, fields, file } of rowsOf(context, source)) {
    if (fields.length !== 2)
      throw invalid(file, `found ${fields.length} fields, expected the two ends of an edge`, line);
    const ends = fields.map((field) => indexOf(field, file, line));
    const bad = ends.findIndex((end, i) => end >= most[i]!);
    if (bad >= 0) throw invalid(file, `it names the ${[from, to][bad]} ${ends[bad]}; there are ${most[bad]}`, line);
    yield `${ends.join(",")}\n`;
  }
}
