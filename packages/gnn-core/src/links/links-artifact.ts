import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { placesOfTimes, timesOfPlaces } from "../graph/edge-times.ts";
import { PairIndex } from "../graph/pair-index.ts";
import { timedEdges } from "../graph/timed-edges.ts";
import { TripleIndex } from "../graph/triple-index.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { GraphArtifact } from "../partition/graph-artifact.ts";
import { parseLinksInfo } from "../spec/links-info.ts";
import type { KnownPairs } from "./known-pairs.ts";
import type { LearntSplit } from "./link-task.ts";
import type { LinkTimes } from "./link-times.ts";
import { readNodeGroups, writeNodeGroups } from "./link-types-file.ts";
import { joinedPairs, type NodePairs } from "./node-pairs.ts";
import type { LinkCut, LinkSplit } from "./split-links.ts";

/** Pairs of a `links` artifact by the names of their files, int32 [pairs, 2] of NodeIndex. */
const pairFiles = ["train", "val", "val-negatives", "test", "test-negatives"] as const;
type PairFile = (typeof pairFiles)[number];

/**
 * Writes a split by NodeIndex, so that every partition of the graph can use it:
 *
 *   messages/indptr, messages/indices   the edges that carry messages, as in-edge CSC
 *   messages/edges                      their EdgeIds
 *   messages/relations                  their relations, where links are told apart by them
 *   messages/times, train-times         of a split by time: of each message, and of each pair of `train`
 *   train, val, val-negatives …         pairs
 *   train-relations …                   their relations, where links are told apart by them
 *   node-types                          where nodes have several types
 *
 * @param edges every edge in the order of their dst, with its EdgeId; null: they are all edges of the graph
 */
export async function writeLinks(
  outDir: string,
  numNodes: number,
  { src, dst: columns, relations: ofEdges, edgeIds }: NodePairs & { readonly edgeIds: Int32Array | null },
  { groups, messageRows, rowTimes, train, val, test }: LinkCut,
): Promise<WrittenArray[]> {
  const blobs: WrittenArray[] = [];
  const write = async (name: string, dtype: "int64" | "int32", values: BigInt64Array | Int32Array, shape: number[]) => {
    await writeNpy(join(outDir, name), dtype, shape, values as never);
    blobs.push({ name, dtype, shape });
  };
  const indptr = offsetsOf(messageRows, columns, numNodes);
  await write("messages/indptr.npy", "int64", indptr, [indptr.length]);
  const indices = messageRows.map((row) => src[row] as number);
  await write("messages/indices.npy", "int32", indices, [indices.length]);
  const messages = edgeIds ? messageRows.map((row) => edgeIds[row] as number) : messageRows;
  await write("messages/edges.npy", "int32", messages, [messages.length]);
  if (ofEdges) {
    const relations = messageRows.map((row) => ofEdges[row] as number);
    await write("messages/relations.npy", "int32", relations, [relations.length]);
  }
  if (rowTimes) {
    const { messages, train: learnt } = rowTimes;
    await write("messages/times.npy", "int32", placesOfTimes(messages), [messages.length]);
    await write("train-times.npy", "int32", placesOfTimes(learnt), [learnt.length]);
  }
  const pairs: Record<PairFile, NodePairs> = {
    train,
    val: val.positives,
    "val-negatives": val.negatives,
    test: test.positives,
    "test-negatives": test.negatives,
  };
  for (const name of pairFiles) {
    const { length } = pairs[name].src;
    await write(`${name}.npy`, "int32", sideBySide(pairs[name]), [length, 2]);
    const { relations } = pairs[name];
    if (relations) await write(relationsFile(name), "int32", relations, [length]);
  }
  blobs.push(...(await writeNodeGroups(outDir, numNodes, groups)));
  return blobs;
}

/** Where each column begins among rows that are in the order of columns; int64 [numNodes + 1]. */
function offsetsOf(rows: Int32Array, columns: Int32Array, numNodes: number): BigInt64Array {
  const counts = new Float64Array(numNodes + 1);
  for (const row of rows) counts[(columns[row] as number) + 1]! += 1;
  for (let node = 0; node < numNodes; node++) counts[node + 1]! += counts[node]!;
  return BigInt64Array.from(counts, BigInt);
}

function sideBySide({ src, dst }: NodePairs): Int32Array {
  const pairs = new Int32Array(2 * src.length);
  for (let i = 0; i < src.length; i++) pairs.set([src[i] as number, dst[i] as number], 2 * i);
  return pairs;
}

const relationsFile = (name: PairFile) => `${name}-relations.npy`;

/** The pairs of one file, by NodeIndex. */
export function readPairs({ dir, manifest }: ArtifactDir, name: PairFile): NodePairs {
  const { values } = mapNpy(join(dir, `${name}.npy`), "int32");
  const end = (offset: number) => Int32Array.from({ length: values.length / 2 }, (_, i) => values[2 * i + offset]!);
  const hasRelations = manifest.blobs.some((blob) => blob.name === relationsFile(name));
  return {
    src: end(0),
    dst: end(1),
    ...(hasRelations && { relations: mapNpy(join(dir, relationsFile(name)), "int32").values.slice() }),
  };
}

/** The graph with the edges alone that carry messages. */
export function withMessagesOnly(graph: GraphArtifact, links: ArtifactDir): GraphArtifact {
  const { numNodes, numMessages } = parseLinksInfo(links);
  requireNodes(numNodes, graph.facts.numNodes);
  const path = (name: string) => join(links.dir, "messages", name);
  return {
    ...graph,
    facts: { ...graph.facts, numEdges: numMessages },
    indptr: mapNpy(path("indptr.npy"), "int64").values,
    indices: mapNpy(path("indices.npy"), "int32").values,
    edgeIds: mapNpy(path("edges.npy"), "int32").values,
  };
}

/**
 * A split as training reads it, by GlobalId.
 *
 * @param graph   the message graph of the parts that were cut from the same split, or the parts of one rank: messages
 *                of others that are no links to learn from are then read from the split
 * @param nodeMap NodeIndex of every GlobalId
 */
export async function loadLinks(links: ArtifactDir, graph: CscGraph, nodeMap: Int32Array): Promise<LearntSplit> {
  const { numNodes, directed, relations } = parseLinksInfo(links);
  requireNodes(numNodes, nodeMap.length);
  const globalIds = globalIdsOf(nodeMap);
  const relabelled = (name: PairFile): NodePairs => {
    const { src, dst, ...rest } = readPairs(links, name);
    return { src: src.map((node) => globalIds[node]!), dst: dst.map((node) => globalIds[node]!), ...rest };
  };
  const train = relabelled("train");
  const training = withMessages(links, train, graph, globalIds);
  const numRelations = relations.length === 0 ? null : relations.length;
  return {
    numNodes,
    directed,
    numRelations,
    groups: readNodeGroups(links, nodeMap),
    times: readTimes(links, globalIds),
    graph,
    train,
    val: { positives: relabelled("val"), negatives: relabelled("val-negatives") },
    test: { positives: relabelled("test"), negatives: relabelled("test-negatives") },
    seen: await indexOf(training, { numNodes, directed, numRelations }),
  };
}

/**
 * A split with all links known, its own and those that are held out: what filtered ranks leave out.
 *
 * @param links   what it was loaded from
 * @param nodeMap NodeIndex of every GlobalId
 */
export async function withKnownLinks(
  split: LearntSplit,
  links: ArtifactDir,
  nodeMap: Int32Array,
): Promise<LearntSplit & Pick<LinkSplit, "known">> {
  const training = withMessages(links, split.train, split.graph, globalIdsOf(nodeMap));
  const all = [training, split.val.positives, split.test.positives];
  return { ...split, known: await indexOf(joinedPairs(all), split) };
}

function indexOf(
  pairs: NodePairs,
  { numNodes, directed, numRelations }: Pick<LinkSplit, "numNodes" | "directed" | "numRelations">,
): Promise<KnownPairs> {
  return numRelations === null
    ? PairIndex.of(pairs, numNodes, directed)
    : TripleIndex.of(pairs, { numNodes, numRelations, directed });
}

/** Times of messages and training links, by GlobalId; null: the split is not by time */
function readTimes({ dir, manifest }: ArtifactDir, globalIds: Int32Array): LinkTimes | null {
  if (!manifest.blobs.some(({ name }) => name === "train-times.npy")) return null;
  const read = (name: string) => mapNpy(join(dir, name), "int32").values;
  const offsets = int64Words(mapNpy(join(dir, "messages/indptr.npy"), "int64").values);
  const indices = read("messages/indices.npy");
  const dst = new Int32Array(indices.length);
  for (const [node, id] of globalIds.entries()) dst.fill(id, int64At(offsets, node), int64At(offsets, node + 1));
  const times = timesOfPlaces(read("messages/times.npy"));
  const messages = { src: indices.map((node) => globalIds[node]!), dst, times };
  return {
    train: timesOfPlaces(read("train-times.npy")),
    // Stored edges of an undirected graph stand in both directions already.
    messages: timedEdges({ ...messages, numNodes: globalIds.length, directed: true }),
  };
}

function globalIdsOf(nodeMap: Int32Array): Int32Array {
  const globalIds = new Int32Array(nodeMap.length);
  for (const [id, node] of nodeMap.entries()) globalIds[node] = id;
  return globalIds;
}

/** Links that are learnt from and those that carry messages: together the training links. */
function withMessages(links: ArtifactDir, train: NodePairs, graph: CscGraph, globalIds: Int32Array): NodePairs {
  return graph.remote ? withMessagesOf(links, train, globalIds) : withEdges(train, graph);
}

/** Those that carry messages by the edges of all parts */
function withEdges(train: NodePairs, { parts }: CscGraph): NodePairs {
  const messages = parts.map(({ firstNode, numNodes, indptr, indices, types }): NodePairs => {
    const offsets = int64Words(indptr);
    const dst = new Int32Array(indices.length);
    for (let node = 0; node < numNodes; node++) {
      dst.fill(firstNode + node, int64At(offsets, node), int64At(offsets, node + 1));
    }
    return { src: indices, dst, ...(train.relations && types && { relations: types }) };
  });
  return joinedPairs([train, ...messages]);
}

/** Those by the split; without links set apart for them all are learnt from. */
function withMessagesOf(links: ArtifactDir, train: NodePairs, globalIds: Int32Array): NodePairs {
  const { options, relations } = parseLinksInfo(links);
  if (options.disjoint === null) return train;
  const read = (name: string) => mapNpy(join(links.dir, `messages/${name}.npy`), "int32").values;
  const indices = read("indices");
  const offsets = int64Words(mapNpy(join(links.dir, "messages/indptr.npy"), "int64").values);
  const dst = new Int32Array(indices.length);
  for (const [node, id] of globalIds.entries()) dst.fill(id, int64At(offsets, node), int64At(offsets, node + 1));
  const src = indices.map((node) => globalIds[node]!);
  return joinedPairs([train, { src, dst, ...(relations.length > 0 && { relations: read("relations") }) }]);
}

function requireNodes(found: number, expected: number): void {
  if (found === expected) return;
  const message = `The links are of ${found} nodes and the graph has ${expected}: they do not belong together.`;
  throw new GnnError("MANIFEST_INVALID", message);
}
