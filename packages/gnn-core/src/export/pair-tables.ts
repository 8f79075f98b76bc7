import { join } from "node:path";
import { unknownType } from "../graph/unknown-type.ts";
import { graphInfo } from "../io/ingest/ingest-report.ts";
import { int64Words } from "../io/int64.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { type ReachedTypeInfo, type RecommendedInfo, recommendedInfo } from "../spec/result-info.ts";
import { allIds } from "./neighbor-lists.ts";
import type { IdBatch } from "./node-ids.ts";

/** One column of a table of pairs, some rows of it */
export type PairColumn =
  | { readonly name: string; readonly type: "ids"; readonly values: IdBatch }
  | { readonly name: string; readonly type: "text"; readonly values: readonly (string | null)[] }
  | { readonly name: string; readonly type: "int32"; readonly values: Int32Array }
  | { readonly name: string; readonly type: "float32"; readonly values: Float32Array };

export type PairRows = readonly PairColumn[];

const batchRows = 65_536;
const graphTypes = graphInfo.pick({ nodeTypes: true });

/**
 * `id, rank, neighbor, score`: the new neighbours of every node, best first. Where nodes have types, `type` and
 * `relations` say which type the neighbour is of and by which relations it could be reached; ranks count by type.
 */
export async function* neighborRows(graph: ArtifactDir, { dir, manifest }: ArtifactDir): AsyncGenerator<PairRows> {
  const { perNode, perType = perNode, reached } = recommendedInfo.parse(manifest.info);
  const neighbors = mapNpy(join(dir, "neighbors.npy"), "int32").values;
  const scores = mapNpy(join(dir, "scores.npy"), "float32").values;
  const take = await idTaker(graph);
  const reachedAt = reached.length > 0 ? reachedOfRows(graph, { dir, manifest }, { reached, perNode, perType }) : null;
  const step = perNode === 0 ? batchRows : Math.max(perNode, batchRows - (batchRows % perNode));
  for (let first = 0; first < Math.max(1, neighbors.length); first += step) {
    const end = Math.min(neighbors.length, first + step);
    const at = Int32Array.from({ length: end - first }, (_, i) => first + i).filter((row) => neighbors[row]! >= 0);
    yield [
      { name: "id", type: "ids", values: take(at.map((row) => Math.floor(row / perNode))) },
      { name: "rank", type: "int32", values: at.map((row) => 1 + (row % perType)) },
      { name: "neighbor", type: "ids", values: take(at.map((row) => neighbors[row]!)) },
      { name: "score", type: "float32", values: Float32Array.from(at, (row) => scores[row]!) },
      ...(reachedAt ? reachedColumns(Array.from(at, reachedAt)) : []),
    ];
  }
}

/** What leads to the neighbour in each row of `neighbors`. */
function reachedOfRows(
  graph: ArtifactDir,
  { dir, manifest }: ArtifactDir,
  { reached, perNode, perType }: Pick<RecommendedInfo, "reached" | "perNode"> & { readonly perType: number },
): (row: number) => ReachedTypeInfo {
  if (manifest.blobs.some(({ name }) => name === "reached.npy")) {
    const places = mapNpy(join(dir, "reached.npy"), "int32").values;
    return (row) => reached[places[row]!]!;
  }
  const { nodeTypes } = graphTypes.parse(graph.manifest.info);
  const codes = mapNpy(join(graph.dir, "nodes/type.npy"), "int32").values;
  const from = [...nodeTypes, unknownType].map((name) => reached.filter(({ source }) => source === name));
  return (row) => {
    const code = codes[Math.floor(row / perNode)]!;
    return from[code < 0 ? nodeTypes.length : code]![Math.floor((row % perNode) / perType)]!;
  };
}

function reachedColumns(reached: readonly ReachedTypeInfo[]): PairColumn[] {
  return [
    { name: "type", type: "text", values: reached.map(({ target }) => target) },
    { name: "relations", type: "text", values: reached.map(({ relations }) => relations.join("|")) },
  ];
}

/** `source, target, split, link, score`: held-out links (link 1) and the pairs without one beside them (link 0). */
export async function* heldOutRows(graph: ArtifactDir, { dir }: ArtifactDir): AsyncGenerator<PairRows> {
  const pairs = mapNpy(join(dir, "pairs.npy"), "int32").values;
  const sides = mapNpy(join(dir, "pair-sides.npy"), "int8").values;
  const scores = mapNpy(join(dir, "pair-scores.npy"), "float32").values;
  const take = await idTaker(graph);
  for (let first = 0; first < Math.max(1, scores.length); first += batchRows) {
    const end = Math.min(scores.length, first + batchRows);
    const ofSides = sides.subarray(first, end);
    const ends = (offset: number) =>
      Int32Array.from({ length: end - first }, (_, i) => pairs[2 * (first + i) + offset]!);
    yield [
      { name: "source", type: "ids", values: take(ends(0)) },
      { name: "target", type: "ids", values: take(ends(1)) },
      { name: "split", type: "text", values: Array.from(ofSides, (side) => (Math.abs(side) === 2 ? "val" : "test")) },
      { name: "link", type: "int32", values: Int32Array.from(ofSides, (side) => Number(side > 0)) },
      { name: "score", type: "float32", values: scores.slice(first, end) },
    ];
  }
}

/** Takes the original ids of any nodes, in the type that the graph has. */
export async function idTaker(graph: ArtifactDir): Promise<(nodes: Int32Array) => IdBatch> {
  if (graph.manifest.info["idType"] === "int64") {
    const all = int64Words(mapNpy(join(graph.dir, "nodes/ids.npy"), "int64").values);
    return (nodes) => {
      const values = new BigInt64Array(nodes.length);
      const words = int64Words(values);
      // Both halves of each number, so that none becomes an object.
      nodes.forEach((node, i) => words.set(all.subarray(2 * node, 2 * node + 2), 2 * i));
      return { type: "int64", length: nodes.length, values };
    };
  }
  const all = (await allIds(graph)).map((text) => Buffer.from(text));
  return (nodes) => {
    const bytes = Buffer.concat(Array.from(nodes, (node) => all[node]!));
    const offsets = new Int32Array(nodes.length + 1);
    nodes.forEach((node, i) => {
      offsets[i + 1] = offsets[i]! + all[node]!.length;
    });
    return { type: "string", length: nodes.length, offsets, bytes };
  };
}
