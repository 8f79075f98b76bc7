import type { Block } from "../../graph/block.ts";
import type { EdgesByDst } from "../../graph/reverse-edges.ts";
import type { SumWeights } from "../../ops/weighted-spmm.ts";
import type { HeldFloats } from "../memory.ts";
import { loadAddon } from "../native/addon.ts";
import { nativeSync } from "../native/native-error.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import { type DegreeWeights, giveBackWeights, weightsByDegrees } from "./device-weights.ts";
import type { BlockHandle, FloatsHandle } from "./memory-addon.ts";
import type { SampledBlock } from "./sampling-addon.ts";

interface Edges {
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly weights: Float32Array | null;
}

export interface DeviceBlockParts {
  readonly cuda: CudaBackend;
  /** `nodes` null: they are not the block's to give back */
  readonly sampled: Omit<SampledBlock, "nodes"> & { readonly nodes: SampledBlock["nodes"] | null };
  /** int32 [numSrc], on the host as well */
  readonly srcIds: Int32Array;
  readonly srcDegrees?: Float32Array | undefined;
  /** float32 [numSrc] on the device: in-degrees, where all edges of the rows are in the block. Left out: it has none */
  readonly degrees?: FloatsHandle;
  /** Sorts the edges by src on the host, when they are first read */
  readonly reverseOf: (block: EdgesByDst) => Block["reverse"];
  /** Told when the host reads edges that did not come down */
  readonly onRead: () => void;
}

/**
 * A block whose edges the device sampled and keeps. Kernels take it by its handle; the host has the nodes of its rows,
 * and reads the edges back when somebody asks for them, which is counted as a wait unless they came down with the rows.
 */
export class DeviceBlock implements Block {
  readonly device = "cuda";
  readonly numSrc: number;
  readonly numDst: number;
  readonly numEdges: number;
  readonly srcIds: Int32Array;
  readonly srcDegrees?: Float32Array;
  readonly reverse: Block["reverse"];
  readonly #parts: DeviceBlockParts;
  readonly #weighed = new Map<DegreeWeights, SumWeights<HeldFloats>>();
  #edges: Edges | null;

  constructor(parts: DeviceBlockParts) {
    const { sampled, srcIds, srcDegrees } = parts;
    this.#parts = parts;
    this.numSrc = sampled.numSrc;
    this.numDst = sampled.numDst;
    this.numEdges = sampled.numEdges;
    this.srcIds = srcIds;
    if (srcDegrees) this.srcDegrees = srcDegrees;
    this.reverse = parts.reverseOf(this);
    const { indptr, indices, weights } = sampled;
    this.#edges = indptr && indices ? { indptr, indices, weights } : null;
  }

  get handle(): BlockHandle {
    return this.#parts.sampled.block;
  }

  get indptr(): Int32Array {
    return this.#onHost().indptr;
  }

  get indices(): Int32Array {
    return this.#onHost().indices;
  }

  get weights(): Float32Array | null {
    return this.#parts.sampled.isWeighted ? this.#onHost().weights : null;
  }

  /** What its arrays take on the device */
  get numBytes(): number {
    const { sampled, degrees } = this.#parts;
    const bySrc = degrees ? this.numSrc + 1 + 2 * this.numEdges : 0;
    return 4 * (this.numDst + 1 + this.numEdges * (sampled.isWeighted ? 2 : 1) + this.numSrc + bySrc);
  }

  /** Whether the device knows the degrees of its rows: all edges that they have are in the block, and of weight 1. */
  get hasDegrees(): boolean {
    return this.#parts.degrees !== undefined;
  }

  /** Weights that the device makes of these degrees, once; null: it does not know them. */
  weighed(kind: DegreeWeights): SumWeights<HeldFloats> | null {
    const { cuda, degrees } = this.#parts;
    if (!degrees) return null;
    const weights = this.#weighed.get(kind) ?? weightsByDegrees(cuda, kind, this, degrees);
    this.#weighed.set(kind, weights);
    return weights;
  }

  /** Gives all of its memory back at once; kernels that were enqueued still have it. */
  release(): void {
    const { cuda, sampled, degrees } = this.#parts;
    for (const handle of [sampled.block, sampled.nodes, degrees]) if (handle) cuda.addon.giveBack(handle);
    for (const weights of this.#weighed.values()) giveBackWeights(cuda, weights);
    this.#weighed.clear();
    for (const array of [sampled.srcIds, sampled.indptr, sampled.indices, sampled.weights]) {
      if (array && array.byteLength > 0) loadAddon().freeArray(array);
    }
  }

  #onHost(): Edges {
    this.#edges ??= this.#readBack();
    return this.#edges;
  }

  #readBack(): Edges {
    const { cuda, sampled, onRead } = this.#parts;
    onRead();
    cuda.readBacks += 1;
    const indptr = new Int32Array(this.numDst + 1);
    const indices = new Int32Array(this.numEdges);
    const weights = sampled.isWeighted ? new Float32Array(this.numEdges) : null;
    nativeSync(() => cuda.addon.readBlock(sampled.block, indptr, indices, weights));
    return { indptr, indices, weights };
  }
}
