import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { SharedRows } from "../dist/shared-rows.ts";
import { DeviceEmbedding } from "../dist-store/device-embedding.ts";
import { DistEmbedding } from "../dist-store/dist-embedding.ts";
import { DistStore } from "../dist-store/dist-store.ts";
import { restoreEmbeddings, saveEmbeddings } from "../dist-store/embedding-checkpoint.ts";
import { uniformRows } from "../dist-store/initializers.ts";
import { SparseAdagrad, SparseAdam, type SparseOptimizer } from "../dist-store/sparse-optimizer.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { DenseRows, FeatureStore } from "../features/feature-store.ts";
import type { NodeOwners } from "../graph/training-data.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { EmbeddingOptions } from "../spec/embedding-options.ts";
import { type LearnedRows, type RefreshedRows, rowsInSharedMemory, rowsWithOwners } from "./learned-rows.ts";
import { RowsBesideFeatures, sideBySide } from "./rows-beside-features.ts";
import { RowsOfStep } from "./rows-of-step.ts";
import { type StartVectors, vectorRows } from "./start-vectors.ts";

export interface NodeEmbeddingParts {
  readonly options: EmbeddingOptions;
  readonly numNodes: number;
  /** The graph's own columns, which come first; they may be none */
  readonly features: FeatureStore;
  /** Where ranks hold parts of the graph; null: ranges of equal size, which evaluations see in `sharedRows` */
  readonly owners: NodeOwners | null;
  readonly rank: RankContext;
  readonly sharedRows: SharedRows;
  /** Joins the ranks' devices; left out or null: nothing does, or there is one rank */
  readonly peers?: PeerTensors | null;
  /** What rows begin with. Left out or null: all begin as usual */
  readonly vectors?: StartVectors | null;
  readonly seed: number;
}

/**
 * A learnable row for every node beside its features: x_v = [features_v ‖ e_v]. The rows lie with their ranks
 * (DistEmbedding): a step reads those of its input nodes as the last step left them, hands their gradients to the
 * owners, and each touched row is updated once. All ranks call every method but `read` and `push` in the same order.
 * A rank that trains alone, or whose device is joined with the others', may have its rows in the memory of the device
 * (`moveTo`): there steps read and update them.
 */
export class NodeEmbedding {
  /** [features ‖ rows] of every node as of the last `share`: what evaluation and inference read */
  readonly inputs: FeatureStore;
  readonly dim: number;
  readonly #rows: DistEmbedding;
  readonly #optimizer: SparseOptimizer;
  readonly #seen: RefreshedRows;
  readonly #ownDim: number;
  readonly #peers: PeerTensors | null;
  #device: DeviceEmbedding | null = null;

  /**
   * @throws GnnError SPEC_INVALID beside sparse features, or when several ranks have no way to each other's rows
   */
  static async create(parts: NodeEmbeddingParts): Promise<NodeEmbedding> {
    const { options, numNodes, features, owners, rank, vectors = null, seed } = parts;
    if (features.kind !== "dense") throw refused("learnable rows can stand beside dense features only");
    const { dim } = options;
    const store = await storeOf(rank, owners);
    const bound = 1 / Math.sqrt(dim);
    const usual = uniformRows(-bound, bound, seed);
    if (options.vectors && !vectors) {
      throw refused("the rows are to begin with vectors of a file, and none are given; pass vectors", "/vectors");
    }
    const rows = await DistEmbedding.create(store, {
      name: "nodes",
      numRows: numNodes,
      dim,
      init: vectors ? vectorRows(vectors, { numNodes, dim }, usual) : usual,
      frozen: vectors?.frozen ? vectors.known : null,
      ...(owners && { offsets: owners.offsets }),
    });
    return new NodeEmbedding(parts, rows);
  }

  private constructor(
    { options, numNodes, features, owners, sharedRows, peers = null }: NodeEmbeddingParts,
    rows: DistEmbedding,
  ) {
    const { type, options: rule } = options.optimizer;
    this.dim = options.dim;
    this.#ownDim = features.dim;
    this.#peers = peers;
    this.#rows = rows;
    this.#optimizer = type === "sparseAdam" ? new SparseAdam([rows], rule) : new SparseAdagrad([rows], rule);
    this.#seen = owners
      ? rowsWithOwners(rows)
      : rowsInSharedMemory(rows, sharedRows("node-embedding", numNodes * this.dim));
    const { features: learned } = this.#seen;
    this.inputs = features.dim === 0 ? learned : new RowsBesideFeatures(features, learned);
  }

  /** Bytes of this rank's rows and of what their optimizer keeps */
  get numBytes(): number {
    const state = this.#optimizer.state(this.#rows);
    return state.reduce((sum, { values }) => sum + values.byteLength, this.#rows.local.byteLength);
  }

  /** Has steps read and update the rows in the memory of this rank's device; every rank calls it, or none does. */
  moveTo(cuda: CudaBackend): void {
    this.#device ??= new DeviceEmbedding(cuda, this.#rows, this.#optimizer, this.#peers);
  }

  /** Whether steps are `stepOnDevice`: others read, push and end them. */
  get isOnDevice(): boolean {
    return this.#device !== null;
  }

  /** Before a step on a device: says which nodes this rank's share of it reads. */
  async prepareOnDevice(nodes: Int32Array): Promise<void> {
    await this.#device?.prepare(nodes);
  }

  /** The rows of the step's nodes, where they lie on a device; the caller disposes them. */
  stepOnDevice(): RowsOfStep | null {
    return this.#device && new RowsOfStep(this.#device);
  }

  /** Gives back what lies on a device. */
  dispose(): void {
    this.#device?.dispose();
  }

  /** The rows as of the last `share` */
  get learned(): LearnedRows {
    return this.#seen;
  }

  /** Input rows of a batch, [features ‖ rows], with the rows as the last step left them. */
  async read(nodes: Int32Array, features: DenseRows): Promise<DenseRows> {
    const rows = await this.#rows.get(nodes);
    if (this.#ownDim === 0) return { kind: "dense", numRows: nodes.length, dim: this.dim, values: rows };
    return sideBySide(features, { kind: "dense", numRows: nodes.length, dim: this.dim, values: rows });
  }

  /** @param gradient of the global mean loss by the input rows of this rank's batch, [nodes, features ‖ rows] */
  async push(nodes: Int32Array, gradient: Float32Array): Promise<void> {
    if (this.#ownDim === 0) return this.#rows.pushGradients(nodes, gradient);
    const width = this.#ownDim + this.dim;
    const ofRows = new Float32Array(nodes.length * this.dim);
    for (let i = 0; i < nodes.length; i++) {
      ofRows.set(gradient.subarray(i * width + this.#ownDim, (i + 1) * width), i * this.dim);
    }
    return this.#rows.pushGradients(nodes, ofRows);
  }

  /** Ends a step: every row that a gradient was pushed for is updated by its owner. */
  endStep(): Promise<void> {
    return this.#optimizer.step();
  }

  /** Lets every rank see the rows as they are now, through `inputs`. */
  async share(): Promise<void> {
    await this.#device?.settle();
    return this.#seen.refresh();
  }

  /** A copy of this rank's rows */
  copy(): Float32Array {
    this.#device?.settleNow();
    return this.#rows.local.slice();
  }

  /** Puts a copy of this rank's rows back; nobody reads them before the next barrier. */
  assign(rows: Float32Array): void {
    this.#device?.leave();
    this.#rows.local.set(rows);
  }

  /** Writes the rows, the state of their optimizer and copies of best rows into a checkpoint: `saveEmbeddings`. */
  async save(dir: string, best: readonly Float32Array[]): Promise<void> {
    await this.#device?.settle();
    return saveEmbeddings(dir, this.#optimizer, this.#named(best));
  }

  /** @returns the copies of best rows, `numBest` of them. @throws GnnError CHECKPOINT_INVALID */
  async restore(dir: string, numBest: number): Promise<Float32Array[]> {
    this.#device?.dispose();
    const best = Array.from({ length: numBest }, () => new Float32Array(this.#rows.local.length));
    await restoreEmbeddings(dir, this.#optimizer, this.#named(best));
    return best;
  }

  #named(best: readonly Float32Array[]): NamedTensor[] {
    return best.map((values, i) => ({ name: `best-${i}`, shape: [this.#rows.count, this.dim], values }));
  }
}

/** Its steps are those of the rows alone: what the loader reads ahead of other tables is not waited for. */
async function storeOf(rank: RankContext, owners: NodeOwners | null): Promise<DistStore> {
  if (rank.worldSize === 1) return DistStore.standalone(rank);
  if (owners) return owners.store.beside();
  if (rank.connectRows) return new DistStore(rank, await rank.connectRows());
  throw refused("several ranks need connectRows, through which they reach each other's rows");
}

function refused(found: string, option = ""): GnnError {
  const pointer = `/features/embedding${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
