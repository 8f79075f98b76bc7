import { join } from "node:path";
import type { Archive, ArchiveMember } from "../archives/archive.ts";
import { openZip } from "../archives/open-zip.ts";
import { checkColumns, checkRows } from "../limits/reading-limits.ts";
import { NpyWriter } from "../npy.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { NpyMember } from "./npy-member.ts";
import { invalid, sampled, splitCodes, writeLines } from "./ogb-rows.ts";
import { splitOf } from "./ogb-split.ts";

const ofArrays = /^(?:(.*)\/)?(data|node-label)\.npz$/;

/**
 * The raw folders of the Open Graph Benchmark in numpy's form, such as `ogbn-papers100M`, among the names: `data.npz`
 * with `edge_index`, `node_feat` and `num_nodes_list`, `node-label.npz` with `node_label`, and the lists of nodes of
 * a split.
 *
 * https://ogb.stanford.edu/docs/nodeprop/#ogbn-papers100M
 */
export function findOgbBinary(names: readonly string[]): Bundle[] {
  const folders = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, folder = "", part] = ofArrays.exec(name) ?? [];
    if (part !== undefined) folders.set(folder, (folders.get(folder) ?? new Map<string, string>()).set(part, name));
  }
  const whole = [...folders].filter(([, parts]) => parts.size === 2);
  return whole.map(([folder, parts]) => {
    const sources = new Map([...parts, ...splitOf(folder, names)]);
    return { anchor: sources.get("data") as string, sources, write: writeOgbBinary };
  });
}

/** @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
async function writeOgbBinary(context: BundleContext): Promise<WrittenBundle> {
  const [data, labels] = [await context.open("data"), await context.open("node-label")];
  const zips: Archive[] = [];
  try {
    for (const file of [data!, labels!]) zips.push(await openZip(file, context.limits));
    const [arrays, ofLabels] = zips as [Archive, Archive];
    const counts = await memberOf(arrays, "num_nodes_list", data!.name);
    const numNodes = await onlyCount(counts, data!.name);
    checkRows(data!.name, numNodes, context.limits);
    const split = await splitCodes(context, numNodes);
    const features = arrays.members.find(({ name }) => name === "node_feat.npy");
    if (features) await writeMatrix(context, features, data!.name, numNodes);
    const nodeLabels = await memberOf(ofLabels, "node_label", labels!.name);
    await writeLines(join(context.dir, "nodes.csv"), labelLines(context, nodeLabels, labels!.name, numNodes, split));
    await writeLines(join(context.dir, "edges.csv"), edgeLines(context, arrays, data!.name));
    return { tables: ["edges.csv", "nodes.csv", ...(features ? ["features.npy"] : [])], notes: [] };
  } finally {
    for (const zip of zips) zip.close();
  }
}

async function memberOf(zip: Archive, array: string, file: string): Promise<NpyMember> {
  const member = zip.members.find(({ name }) => name === `${array}.npy`);
  if (!member) throw invalid(file, `it has no array ${array}`);
  return inOrder(await NpyMember.open(member, file), array, file);
}

function inOrder(array: NpyMember, name: string, file: string): NpyMember {
  if (array.isTransposed) throw invalid(file, `${name} is in Fortran order`);
  return array;
}

async function onlyCount(counts: NpyMember, file: string): Promise<number> {
  if (counts.length !== 1)
    throw invalid(file, `it holds ${counts.length} graphs; sets of graphs are read as CSV alone`);
  for await (const { 0: count } of counts.pieces(0, 1))
    if (count !== undefined && Number.isSafeInteger(count)) return count;
  throw invalid(file, "num_nodes_list holds no whole number");
}

async function writeMatrix(
  context: BundleContext,
  member: ArchiveMember,
  file: string,
  numNodes: number,
): Promise<void> {
  const array = inOrder(await NpyMember.open(member, file), "node_feat", file);
  const [rows = 0, dim = 0] = array.shape;
  if (array.shape.length !== 2 || rows !== numNodes || dim === 0)
    throw invalid(file, `node_feat has the shape ${array.shapeText} for ${numNodes} nodes`);
  checkColumns(file, dim, context.limits);
  const to = join(context.dir, "features.npy");
  const writer = await NpyWriter.open(to, "float32", [dim]);
  try {
    let rest = new Float32Array(0);
    for await (const piece of array.pieces(0, sampled(context, numNodes) * dim)) {
      context.check(file);
      const values = new Float32Array(rest.length + piece.length);
      values.set(rest);
      values.set(piece, rest.length);
      const whole = values.length - (values.length % dim);
      await writer.append(values.subarray(0, whole));
      rest = values.slice(whole);
    }
    await writer.close();
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function* labelLines(
  context: BundleContext,
  array: NpyMember,
  file: string,
  numNodes: number,
  split: Uint8Array | null,
) {
  if (array.length !== numNodes) throw invalid(file, `node_label holds ${array.length} numbers for ${numNodes} nodes`);
  yield `id,label${split ? ",split" : ""}\n`;
  const words = ["", "train", "val", "test"];
  let node = 0;
  for await (const piece of array.pieces(0, sampled(context, numNodes))) {
    context.check(file);
    for (let i = 0; i < piece.length; i++, node++)
      yield `${node},${Number.isNaN(piece[i]) ? "" : piece[i]}${split ? `,${words[split[node]!]}` : ""}\n`;
  }
}

/** `edge_index` has all sources first, then all destinations, so that it is read at two places at once. */
async function* edgeLines(context: BundleContext, zip: Archive, file: string) {
  const array = await memberOf(zip, "edge_index", file);
  const [two, numEdges = 0] = array.shape;
  if (two !== 2 || array.shape.length !== 2)
    throw invalid(file, `edge_index has the shape ${array.shapeText}, expected (2, edges)`);
  yield "src,dst\n";
  const count = sampled(context, numEdges);
  const targets = array.pieces(numEdges, count);
  let [there, at] = [[] as ArrayLike<number>, 0];
  for await (const sources of array.pieces(0, count)) {
    context.check(file);
    let lines = "";
    for (let i = 0; i < sources.length; i++) {
      if (at === there.length) [there, at] = [(await targets.next()).value ?? [], 0];
      lines += `${sources[i]},${there[at++]}\n`;
    }
    yield lines;
  }
  await targets.return(undefined);
}
