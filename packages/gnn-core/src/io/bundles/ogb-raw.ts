import { join } from "node:path";
import { checkRows } from "../limits/reading-limits.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { writeOgbGraphs } from "./ogb-graphs.ts";
import { indexOf, invalid, nameOf, nodeLines, rowsOf, splitCodes, writeFeatures, writeLines } from "./ogb-rows.ts";
import { splitOf } from "./ogb-split.ts";

const ofNodes =
  /^(?:(.*)\/)?(edge|edge-feat|node-feat|node-label|graph-label|num-node-list|num-edge-list)\.csv(?:\.gz)?$/;

/**
 * The raw folders of the Open Graph Benchmark's tasks on nodes and on graphs among the names, as CSV without headers:
 * `edge.csv.gz`, `num-node-list.csv.gz`, `node-feat.csv.gz`, `node-label.csv.gz` or `graph-label.csv.gz`, and the
 * lists of a split.
 *
 * https://ogb.stanford.edu/docs/dataset_overview/
 */
export function findOgbRaw(names: readonly string[]): Bundle[] {
  const folders = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, folder = "", part] = ofNodes.exec(name) ?? [];
    if (part === undefined) continue;
    folders.set(folder, (folders.get(folder) ?? new Map<string, string>()).set(part, name));
  }
  const describes = ["node-feat", "node-label", "graph-label"];
  const whole = [...folders].filter(
    ([, parts]) => parts.has("edge") && parts.has("num-node-list") && describes.some((part) => parts.has(part)),
  );
  return whole.map(([folder, parts]) => {
    const sources = new Map([...parts, ...splitOf(folder, names)]);
    return { anchor: sources.get("edge") as string, sources, write: writeOgbRaw };
  });
}

/** @throws GnnError DATASET_FORMAT_INVALID, DATASET_VALUE_INVALID with file and line, DATASET_LIMIT_EXCEEDED */
async function writeOgbRaw(context: BundleContext): Promise<WrittenBundle> {
  const { dir } = context;
  const counts = await countsOf(context, "num-node-list");
  const [numNodes = 0] = counts;
  if (counts.length > 1 || (await nameOf(context, "graph-label")) !== null) {
    const numEdges =
      (await nameOf(context, "num-edge-list")) === null ? null : await countsOf(context, "num-edge-list");
    return writeOgbGraphs(context, counts, numEdges);
  }
  const hasFeatures = (await nameOf(context, "node-feat")) !== null;
  if (hasFeatures) await writeFeatures(context, "node-feat", numNodes, join(dir, "features.npy"));
  const split = await splitCodes(context, numNodes);
  await writeLines(join(dir, "nodes.csv"), nodeLines(context, numNodes, "node-label", split));
  await writeLines(join(dir, "edges.csv"), edgeLines(context));
  return { tables: ["edges.csv", "nodes.csv", ...(hasFeatures ? ["features.npy"] : [])], notes: [] };
}

/** How many nodes or edges each graph has */
async function countsOf(context: BundleContext, part: string): Promise<number[]> {
  const counts: number[] = [];
  const name = (await nameOf(context, part)) ?? "";
  for await (const { line, fields, file } of rowsOf(context, part, null)) {
    counts.push(indexOf(fields[0], file, line));
    checkRows(name, counts.length, context.limits);
  }
  if (counts.length === 0) throw invalid(name, "it has no rows");
  checkRows(
    name,
    counts.reduce((sum, count) => sum + count, 0),
    context.limits,
  );
  return counts;
}

async function* edgeLines(context: BundleContext) {
  yield "src,dst\n";
  for await (const { line, fields, file } of rowsOf(context, "edge")) {
    if (fields.length !== 2)
      throw invalid(file, `found ${fields.length} fields, expected the two ends of an edge`, line);
    yield `${indexOf(fields[0], file, line)},${indexOf(fields[1], file, line)}\n`;
  }
}
