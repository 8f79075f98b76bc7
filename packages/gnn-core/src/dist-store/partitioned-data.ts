import { join } from "node:path";
import { points } from "../dist/points.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CsrMatrix } from "../features/csr-feature-store.ts";
import { storedAs } from "../features/feature-dtype.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { noFeatures } from "../features/no-features.ts";
import {
  type CscGraph,
  type CscPart,
  type NodeRange,
  type PartitionedRows,
  type RemoteGraph,
  wholeLists,
} from "../graph/csc-graph.ts";
import { joinLabelSets, type LabelSets } from "../graph/label-sets.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { int64Words, setInt64 } from "../io/int64.ts";
import { mapLabelSets } from "../io/label-set-files.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { mapNpy } from "../io/npy-map.ts";
import { nodeTypesOf } from "../partition/load-parts.ts";
import { newRowArray, type RowArray, type RowDtype } from "../partition/row-schema.ts";
import { heldInDegrees } from "../sampling/with-degrees.ts";
import type { PartsInfo } from "../spec/parts-info.ts";
import type { DistStore } from "./dist-store.ts";
import { DistTensor, type HostedTensorOptions } from "./dist-tensor.ts";
import { joined } from "./join-arrays.ts";
import { loadOwnParts, type OwnParts } from "./own-parts.ts";
import { RemoteRows } from "./remote-rows.ts";

const valuesPerRead = 1 << 22;

/** Columns that are learned: `features.embedding` of the options */
export interface LearnedFeatures {
  readonly embedding?: object | null;
  /** The model reads random rows, and no features */
  readonly areRandom?: boolean;
}

/**
 * What a rank trains on that holds its own parts only: in-edges and feature rows of other nodes are asked of their
 * owners through the row service, batch by batch. Labels and splits (5 bytes a node), and of nodes of several types
 * these (4 more), are read from all of them once.
 * Every rank calls it with the same artifact, of which the folders of other ranks' parts need not be there.
 *
 * A trainer gives the same bits on it as on `partsData` of the whole artifact.
 *
 * @param made features that will be learned: the graph then needs none of its own
 * @throws GnnError SPEC_INVALID for fewer parts than ranks, no features, or sparse features that are not float32; those
 * of
 * `loadParts`, and of the row service
 */
export async function partitionedData(
  store: DistStore,
  artifact: ArtifactDir,
  made: LearnedFeatures = {},
): Promise<TrainingData> {
  const held = loadOwnParts(artifact, store.rank);
  const { info, nodeOffsets, dirs } = held;
  const own = rangeOf(held, store.rank.rank);
  const host = <D extends RowDtype>(name: string, dtype: D, rowShape: readonly number[], values: RowArray<D>) =>
    DistTensor.hosted(store, { name: `parts/${name}`, dtype, rowShape, offsets: nodeOffsets, values });
  const column = <D extends RowDtype>(name: string, dtype: D) =>
    joined(
      dtype,
      dirs.map((dir) => mapNpy(join(dir, `${name}.npy`), dtype).values as RowArray<D>),
    );
  const readColumn = async <D extends RowDtype>(name: string, dtype: D, rowShape: readonly number[] = []) =>
    allRows(await host(name, dtype, rowShape, column(name, dtype)));
  const { classes, multiLabel, targets } = info.graph;
  const nodeTypes = held.hasNodeTypes && nodeTypesOf(await readColumn("type", "int32"), info);
  const graph = await partitionedGraph(store, held, own);
  return {
    graph: nodeTypes ? { ...graph, nodeTypes } : graph,
    features: await partitionedFeatures(store, held, own, made),
    owners: { store, offsets: nodeOffsets },
    split: await readColumn("split", "int8"),
    labels: await readColumn("labels", "int32"),
    numClasses: classes.length,
    labelSets: multiLabel ? await allLabelSets(store, held, own) : null,
    targets:
      targets.length > 0 ? { names: targets, values: await readColumn("targets", "float32", [targets.length]) } : null,
  };
}

function rangeOf({ nodeOffsets }: OwnParts, rank: number): NodeRange {
  const first = nodeOffsets[rank] as number;
  const end = nodeOffsets[rank + 1] as number;
  return { first, count: end - first };
}

async function partitionedGraph(
  store: DistStore,
  { info, nodeOffsets, parts, isTyped }: OwnParts,
  own: NodeRange,
): Promise<CscGraph> {
  const { numNodes, numEdges } = info;
  await hostLists(store, "parts/in-edges", nodeOffsets, parts);
  if (isTyped) await hostLists(store, "parts/in-edge-types", nodeOffsets, parts.map(listsOfTypes));
  const known: { degrees?: DistTensor<"float32"> } = {};
  const remote: RemoteGraph = {
    own,
    drawInEdges: async (nodes, draw) => {
      const drawn = store.draw("parts/in-edges", nodes, draw);
      // Draws depend on the key, the node and the length of its list: those of the types are of the same edges.
      const types = isTyped && draw.relation === undefined ? store.draw("parts/in-edge-types", nodes, draw) : null;
      points.remoteRead.publish({ epoch: draw.epoch, step: draw.step });
      const [edges, ofEdges] = await Promise.all([drawn, types]);
      if (draw.relation !== undefined)
        return { ...edges, types: new Int32Array(edges.entries.length).fill(draw.relation) };
      return ofEdges ? { ...edges, types: ofEdges.entries } : edges;
    },
    inDegrees: async (nodes) => (await known.degrees?.get(nodes)) ?? new Float32Array(0),
    rows: (name, dim) => partitionedRows(store, { name, dim, own, nodeOffsets }),
  };
  const relations = isTyped && { relations: info.graph.edgeTypes };
  const graph: CscGraph = { device: "cpu", numNodes, numEdges, ...relations, parts, remote };
  const nodes = Int32Array.from({ length: own.count }, (_, i) => own.first + i);
  const values = await heldInDegrees(graph, nodes);
  const degrees = { name: "parts/in-degrees", dtype: "float32", rowShape: [], offsets: nodeOffsets, values } as const;
  known.degrees = await DistTensor.hosted(store, degrees);
  return graph;
}

/** The types of in-edges, in the order of these */
function listsOfTypes({ types, ...part }: CscPart): CscPart {
  return { ...part, indices: types as Int32Array, weights: null, types: null };
}

/** Rows of computed values: every rank fills its own and reads all. */
async function partitionedRows(
  store: DistStore,
  { name, dim, own, nodeOffsets }: { name: string; dim: number; own: NodeRange; nodeOffsets: readonly number[] },
): Promise<PartitionedRows> {
  const numRows = nodeOffsets.at(-1) as number;
  const tensor = await DistTensor.create(store, {
    name: `rows/${name}-${dim}`,
    shape: [numRows, dim],
    dtype: "float32",
    offsets: nodeOffsets,
  });
  return {
    local: tensor.local,
    features: new RemoteRows({ store, name: tensor.name, kind: "dense", numRows, dim, own, segments: [tensor.local] }),
    readAll: (into) => readAll(tensor, into),
  };
}

async function partitionedFeatures(
  store: DistStore,
  { info, nodeOffsets, features: segments, columns }: OwnParts,
  own: NodeRange,
  made: LearnedFeatures,
): Promise<FeatureStore> {
  const { kind, dim, dtype } = info.graph.features;
  if (kind === "none" && (made.embedding || made.areRandom)) return noFeatures(info.numNodes);
  if (kind === "none") {
    throw unsuitable(
      'The graph has no node features and the models need some: have them learned ("embedding": {}), or made from the edges ("structural": {}), which needs all of them on every host',
    );
  }
  const name = "parts/features";
  const rows = { store, name, numRows: info.numNodes, dim, own, columns };
  if (kind === "csr") {
    if (dtype !== "fp32") throw unsuitable("Sparse features of a partitioned graph must be stored as float32");
    const matrices = segments as CsrMatrix[];
    const parts = matrices.map(({ indptr, indices, values }, i): CscPart => {
      const { firstNode, numNodes } = ownPartAt(info, nodeOffsets, store.rank.rank, i);
      return { firstNode, numNodes, indptr, indices, weights: values as Float32Array };
    });
    await hostLists(store, name, nodeOffsets, parts);
    return new RemoteRows({ ...rows, kind, segments });
  }
  const { npy } = storedAs[dtype];
  const values = joined(npy, segments as RowArray<typeof npy>[]);
  await DistTensor.hosted(store, { name, dtype: npy, rowShape: [dim], offsets: nodeOffsets, values });
  return new RemoteRows({ ...rows, kind, segments: [values], readOnly: true });
}

/** The range of the i-th part of a rank */
function ownPartAt({ nodeOffsets }: PartsInfo, rankOffsets: readonly number[], rank: number, i: number) {
  const part = nodeOffsets.indexOf(rankOffsets[rank] as number) + i;
  const first = nodeOffsets[part] as number;
  const end = nodeOffsets[part + 1] as number;
  return { firstNode: first, numNodes: end - first };
}

function hostLists(
  store: DistStore,
  name: string,
  offsets: readonly number[],
  parts: readonly CscPart[],
): Promise<void> {
  return store.createOrReuse(name, `lists at ${offsets.join(" ")}`, () => store.hostLists(name, offsets, parts));
}

async function allLabelSets(
  store: DistStore,
  { info, nodeOffsets, dirs }: OwnParts,
  own: NodeRange,
): Promise<LabelSets> {
  const numClasses = info.graph.classes.length;
  const sets = joinLabelSets(
    dirs.map((dir) => mapLabelSets(dir, numClasses)),
    numClasses,
  );
  const indptr = new BigInt64Array(own.count + 1);
  const words = int64Words(indptr);
  for (let i = 0; i <= own.count; i++) setInt64(words, i, sets.indptr[i] as number);
  const part = { firstNode: own.first, numNodes: own.count, indptr, indices: sets.indices, weights: null };
  await hostLists(store, "parts/label-sets", nodeOffsets, [part]);
  const known = { name: "parts/labels-known", dtype: "int8", rowShape: [], offsets: nodeOffsets, values: sets.known };
  const all = Int32Array.from({ length: info.numNodes }, (_, node) => node);
  const drawn = await store.draw("parts/label-sets", all, wholeLists);
  return {
    numNodes: info.numNodes,
    numClasses,
    indptr: drawn.indptr,
    indices: drawn.entries,
    known: await allRows(await DistTensor.hosted(store, known as HostedTensorOptions<"int8">)),
  };
}

/** The rows of all ranks in this process. */
async function allRows<D extends RowDtype>(tensor: DistTensor<D>): Promise<RowArray<D>> {
  const [numRows, ...rowShape] = tensor.shape as [number, ...number[]];
  const into = newRowArray(tensor.dtype, numRows * rowShape.reduce((product, size) => product * size, 1));
  await readAll(tensor, into);
  return into;
}

async function readAll<D extends RowDtype>(tensor: DistTensor<D>, into: RowArray<D>): Promise<void> {
  const numRows = tensor.shape[0] as number;
  const dim = numRows === 0 ? 0 : into.length / numRows;
  const rowsPerRead = Math.max(1, Math.floor(valuesPerRead / Math.max(1, dim)));
  for (let first = 0; first < numRows; first += rowsPerRead) {
    const ids = Int32Array.from({ length: Math.min(rowsPerRead, numRows - first) }, (_, i) => first + i);
    (into as { set(values: unknown, at: number): void }).set(await tensor.get(ids), first * dim);
  }
}

function unsuitable(message: string): GnnError {
  const pointer = "/resources/graph";
  return new GnnError("SPEC_INVALID", `${message}: use "graph": "shared".`, { place: { pointer } });
}
