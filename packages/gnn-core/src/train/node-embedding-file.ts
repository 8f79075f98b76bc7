import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RankContext } from "../dist/rank-context.ts";
import { floatsOf, rankShare } from "../dist/rank-share.ts";
import { shareRows } from "../dist/share-rows.ts";
import { sharedNpy } from "../dist/shared-npy.ts";
import type { SharedRows } from "../dist/shared-rows.ts";
import { DistTensor } from "../dist-store/dist-tensor.ts";
import { RemoteRows } from "../dist-store/remote-rows.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { NodeOwners } from "../graph/training-data.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { LearnedRows } from "./learned-rows.ts";
import { RowsBesideFeatures } from "./rows-beside-features.ts";
import type { Trainer } from "./trainer.ts";

const file = "node_embedding.npy";
const valuesPerRead = 1 << 20;

/**
 * Learned rows of all nodes as part of a `model` artifact, float32 [numNodes, dim] in GlobalId order. Every rank calls
 * it. Rows that lie with their owners are written by these; of several hosts only the first has the folder, and rank 0
 * asks the others for theirs. The file appears under its name when it is complete.
 */
export async function writeNodeEmbedding(
  outDir: string,
  rank: RankContext,
  { nodeEmbedding: learned, data }: Pick<Trainer, "nodeEmbedding" | "data">,
): Promise<WrittenArray | null> {
  if (!learned) return null;
  const { dim, features, rows } = learned;
  const shape = [features.numRows, dim];
  const path = join(outDir, file);
  const partial = `${path}.partial`;
  try {
    if (data.owners) await fillTogether(partial, rank, learned);
    else if (rank.rank === 0) await writeNpy(partial, "float32", shape, rows);
    if (rank.rank === 0) await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { name: file, dtype: "float32", shape };
}

/** Ends with a barrier: the file is whole, and nobody asks for rows any more. */
async function fillTogether(path: string, rank: RankContext, learned: LearnedRows): Promise<void> {
  const { dim, features, firstNode, rows } = learned;
  const sameHost = (rank.numHosts ?? 1) === 1;
  if (sameHost) sharedNpy(path, features.numRows, dim).set(rows, firstNode * dim);
  else if (rank.rank === 0) await readAll(features, sharedNpy(path, features.numRows, dim));
  await rank.collective.barrier();
}

async function readAll(features: FeatureStore, into: Float32Array): Promise<void> {
  const { numRows, dim } = features;
  const rowsPerRead = Math.max(1, Math.floor(valuesPerRead / dim));
  for (let first = 0; first < numRows; first += rowsPerRead) {
    const ids = Int32Array.from({ length: Math.min(rowsPerRead, numRows - first) }, (_, i) => first + i);
    into.set((await features.gatherAsync(ids)).values, first * dim);
  }
}

/** What the rows of a model are read for. */
export interface LearnedRowsReader {
  readonly owners: NodeOwners | null;
  /**
   * int32 [numNodes] by GlobalId: the row of each node in the file, −1: it has none and reads zeros. Null: the graph is
   * the one that the model was trained on, whose rows lie in this order
   */
  readonly rowOf: Int32Array | null;
  readonly rank: RankContext;
  readonly sharedRows: SharedRows;
}

/**
 * What a model with learned rows reads: [features ‖ rows]. With `owners` a rank reads its own nodes' rows from the
 * file, and those of others from their ranks. All ranks call it.
 *
 * @throws GnnError SHAPE_MISMATCH when the rows are those of another graph, and nothing says which is whose
 */
export async function withNodeEmbedding(
  modelDir: string,
  features: FeatureStore,
  { owners, rowOf, rank, sharedRows }: LearnedRowsReader,
): Promise<FeatureStore> {
  const { shape, values } = mapNpy(join(modelDir, file), "float32");
  const [numRows = 0, dim = 0] = shape;
  const numNodes = features.numRows;
  if (!rowOf && numRows !== numNodes) {
    const found = `The model has learned rows of ${numRows} nodes and the graph has ${numNodes}`;
    throw new GnnError("SHAPE_MISMATCH", `${found}; match the rows with its nodes first (the step matchRows).`);
  }
  const source = { values, dim, rowOf };
  const rows = owners
    ? await ownRows(source, owners)
    : new DenseFeatureStore(dim, [rowOf ? await sharedCopy({ ...source, rowOf }, rank, sharedRows) : values]);
  return features.dim === 0 ? rows : new RowsBesideFeatures(features, rows);
}

/** Learned rows of a file, and which of them is whose */
interface RowsOfFile {
  /** float32 [rows, dim] */
  readonly values: Float32Array;
  readonly dim: number;
  readonly rowOf: Int32Array | null;
}

type MatchedRows = RowsOfFile & { readonly rowOf: Int32Array };

/** The rows of nodes [first, end), and zeros for those without one */
function rowsOfNodes({ values, dim, rowOf }: MatchedRows, first: number, end: number, into: Float32Array): void {
  for (let node = first; node < end; node++) {
    const row = rowOf[node] as number;
    if (row >= 0) into.set(values.subarray(row * dim, (row + 1) * dim), (node - first) * dim);
  }
}

/** Rows in the order of the graph at hand, in memory that the ranks of a host share; each makes its share of them. */
async function sharedCopy(matched: MatchedRows, rank: RankContext, sharedRows: SharedRows): Promise<Float32Array> {
  const { dim, rowOf } = matched;
  const all = sharedRows("learned-rows", rowOf.length * dim);
  const share = rankShare(rowOf.length, rank);
  const own = floatsOf(share, dim);
  rowsOfNodes(matched, share.first, share.first + share.count, all.subarray(own.first, own.first + own.count));
  await rank.collective.barrier();
  await shareRows(rank, all, own);
  return all;
}

async function ownRows(stored: RowsOfFile, { store, offsets }: NodeOwners): Promise<FeatureStore> {
  const { dim, rowOf } = stored;
  const { rank } = store.rank;
  const first = offsets[rank] as number;
  const end = offsets[rank + 1] as number;
  const values = rowOf ? new Float32Array((end - first) * dim) : stored.values.subarray(first * dim, end * dim);
  if (rowOf) rowsOfNodes({ ...stored, rowOf }, first, end, values);
  const name = "model/node-embedding";
  const { shape } = await DistTensor.hosted(store, { name, dtype: "float32", rowShape: [dim], offsets, values });
  const own = { first, count: end - first };
  const numRows = shape[0] as number;
  return new RemoteRows({ store, name, kind: "dense", numRows, dim, own, segments: [values], readOnly: true });
}
