import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { noteMadeOnDevice } from "../backends/cuda/made-ints.ts";
import type { IntsHandle, WholeGraphHandle } from "../backends/cuda/memory-addon.ts";
import type { BlockLeft } from "../backends/cuda/whole-graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { ReverseEdges } from "../graph/reverse-edges.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import type { BatchKey, Sampler } from "./sampler.ts";
import { withoutEdges } from "./without-edges.ts";

export interface WholeGraphOptions {
  readonly graph: CscGraph;
  readonly numHops: number;
  /** Takes every in-neighbour; draws the steps that begin with some nodes alone */
  readonly host: Sampler;
}

/**
 * All edges of a graph in every hop, where the device has them: a step says which pairs' edges go, and the device makes
 * the hop that is left, by dst and by src, with the bits of `withoutEdges`. It does so on a stream of its own, while it
 * computes earlier steps; the thread that waits for it is none of JavaScript's.
 */
export class WholeGraphSampler implements Sampler {
  readonly takesAll = true;
  readonly #cuda: CudaBackend;
  readonly #options: WholeGraphOptions;
  readonly #handle: WholeGraphHandle;
  readonly #nodes: Int32Array;
  readonly #nodesOnDevice: IntsHandle;
  /** Once the host has waited for edges, it makes the blocks itself. */
  #isRead = false;

  /**
   * Uploads the graph and has it sorted by src.
   *
   * @throws GnnError SHAPE_MISMATCH when its arrays do not fit each other, DATASET_TOO_LARGE, DEVICE_OUT_OF_MEMORY
   */
  static async create(cuda: CudaBackend, options: WholeGraphOptions): Promise<WholeGraphSampler> {
    const { numNodes, parts } = options.graph;
    return new WholeGraphSampler(cuda, options, await native(() => cuda.addon.makeWholeGraph(numNodes, parts)));
  }

  private constructor(cuda: CudaBackend, options: WholeGraphOptions, handle: WholeGraphHandle) {
    this.#cuda = cuda;
    this.#options = options;
    this.#handle = handle;
    this.#nodes = Int32Array.from({ length: options.graph.numNodes }, (_, node) => node);
    this.#nodesOnDevice = nativeSync(() => cuda.addon.uploadInts(this.#nodes));
    noteMadeOnDevice(this.#nodes, this.#nodesOnDevice);
  }

  sample(seeds: Int32Array, key: BatchKey, signal?: AbortSignal): Promise<readonly Block[]> {
    return this.#options.host.sample(seeds, key, signal);
  }

  /** @throws GnnError SHAPE_MISMATCH for a pair of nodes outside the graph, DEVICE_OUT_OF_MEMORY */
  async sampleWithout(
    seeds: Int32Array,
    { src, dst }: NodePairs,
    key: BatchKey,
    signal?: AbortSignal,
  ): Promise<readonly Block[]> {
    const { graph, numHops, host } = this.#options;
    if (this.#isRead || seeds.length !== graph.numNodes) {
      return withoutEdges(await host.sample(seeds, key, signal), { src, dst }, graph);
    }
    signal?.throwIfAborted();
    const left = await native(() => this.#cuda.addon.edgesLeft(this.#handle, src, dst));
    return Array<Block>(numHops).fill(this.#blockOf(left));
  }

  /** Gives the memory of the graph back; blocks that were made stay with their consumer. */
  dispose(): void {
    for (const handle of [this.#handle, this.#nodesOnDevice]) this.#cuda.addon.giveBack(handle);
  }

  #blockOf({ numEdges, block, degrees }: BlockLeft): DeviceBlock {
    const { numNodes } = this.#options.graph;
    const onHost = { nodes: null, srcIds: new Int32Array(), indptr: null, indices: null, weights: null };
    return new DeviceBlock({
      cuda: this.#cuda,
      sampled: { numSrc: numNodes, numDst: numNodes, numEdges, isWeighted: false, block, ...onHost },
      srcIds: this.#nodes,
      degrees,
      reverseOf: (edges) => new ReverseEdges(edges),
      onRead: () => {
        this.#isRead = true;
      },
    });
  }
}
