import type { Block } from "../../graph/block.ts";
import type { EdgesByDst } from "../../graph/reverse-edges.ts";
import { loadAddon } from "../native/addon.ts";
import { nativeSync } from "../native/native-error.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import type { BlockHandle } from "./memory-addon.ts";
import type { SampledBlock } from "./sampling-addon.ts";

interface Edges {
  readonly indptr: Int32Array;
  readonly indices: Int32Array;
  readonly weights: Float32Array | null;
}

export interface DeviceBlockParts {
  readonly cuda: CudaBackend;
  readonly sampled: SampledBlock;
  /** int32 [numSrc], on the host as well */
  readonly srcIds: Int32Array;
  readonly srcDegrees?: Float32Array | undefined;
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
    const { isWeighted } = this.#parts.sampled;
    return 4 * (this.numDst + 1 + this.numEdges * (isWeighted ? 2 : 1) + this.numSrc);
  }

  /** Gives all of its memory back at once; kernels that were enqueued still have it. */
  release(): void {
    const { cuda, sampled } = this.#parts;
    cuda.addon.giveBack(sampled.block);
    cuda.addon.giveBack(sampled.nodes);
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
