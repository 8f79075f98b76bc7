import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { noteMadeOnDevice } from "../backends/cuda/made-ints.ts";
import type { DeviceGraphHandle } from "../backends/cuda/memory-addon.ts";
import type { SampledBlock } from "../backends/cuda/sampling-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { ReverseEdges } from "../graph/reverse-edges.ts";
import type { BatchKey, Sampler } from "./sampler.ts";
import { inDegrees } from "./with-degrees.ts";

/** What a device draws: in-neighbours of each node, all alike. */
export interface UniformDraws {
  /** One per hop, the first from the seeds; -1 = all in-neighbours */
  readonly fanouts: readonly number[];
  readonly replace: boolean;
}

export interface DeviceSamplerOptions extends UniformDraws {
  readonly cuda: CudaBackend;
  readonly graph: CscGraph;
  readonly seed: number;
  /** Whether blocks carry the degrees of their src rows. The host then weighs their edges, which come down for it. */
  readonly withDegrees: boolean;
  /** Draws what the device does not: nothing, for a rank without seeds in a step */
  readonly host: Sampler;
}

/**
 * The sampler of `createBlockSampler` on a device that has the graph in its memory: the same blocks, bit by bit, whose
 * edges stay there. Batches are drawn one after the other, on a stream of their own, while the device computes earlier
 * steps; the thread that waits for them is none of JavaScript's.
 */
export class DeviceSampler implements Sampler {
  readonly #options: DeviceSamplerOptions;
  readonly #handle: DeviceGraphHandle;
  readonly #fanouts: Int32Array;
  /** Once the host has waited for edges, those of the batches that follow come down in time. */
  #needsEdges: boolean;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Uploads the graph.
   *
   * @throws GnnError SHAPE_MISMATCH when its arrays do not fit each other, DEVICE_OUT_OF_MEMORY
   */
  static async create(options: DeviceSamplerOptions): Promise<DeviceSampler> {
    const { cuda, graph } = options;
    return new DeviceSampler(options, await native(() => cuda.addon.makeGraph(graph.numNodes, graph.parts)));
  }

  private constructor(options: DeviceSamplerOptions, handle: DeviceGraphHandle) {
    this.#options = options;
    this.#handle = handle;
    this.#fanouts = Int32Array.from(options.fanouts);
    this.#needsEdges = options.withDegrees;
  }

  /** @throws GnnError SHAPE_MISMATCH for a seed outside the graph, DATASET_TOO_LARGE, DEVICE_OUT_OF_MEMORY */
  async sample(seeds: Int32Array, key: BatchKey, signal?: AbortSignal): Promise<readonly Block[]> {
    if (seeds.length === 0) return this.#options.host.sample(seeds, key, signal);
    const turn = this.#last.then(() => this.#sample(seeds, key, signal));
    this.#last = turn.catch(() => {});
    return this.#blocksOf(await turn);
  }

  /** Gives the memory of the graph back; blocks that were sampled stay with their consumer. */
  dispose(): void {
    this.#options.cuda.addon.giveBack(this.#handle);
  }

  async #sample(seeds: Int32Array, { epoch, step }: BatchKey, signal?: AbortSignal): Promise<readonly SampledBlock[]> {
    signal?.throwIfAborted();
    const { cuda, replace, seed } = this.#options;
    return native(() =>
      cuda.addon.sampleOnDevice(this.#handle, seeds, this.#fanouts, replace, this.#needsEdges, seed, epoch, step),
    );
  }

  async #blocksOf(sampled: readonly SampledBlock[]): Promise<Block[]> {
    const { cuda, graph, withDegrees } = this.#options;
    const nodes = sampled[0]?.srcIds ?? new Int32Array();
    const degrees = withDegrees ? await inDegrees(graph, nodes) : undefined;
    const onRead = () => {
      this.#needsEdges = true;
    };
    return sampled.map((block) => {
      const srcIds = block.srcIds.length === block.numSrc ? block.srcIds : nodes.subarray(0, block.numSrc);
      noteMadeOnDevice(srcIds, block.nodes);
      return new DeviceBlock({
        cuda,
        sampled: block,
        srcIds,
        srcDegrees: degrees?.subarray(0, block.numSrc),
        reverseOf: (edges) => new ReverseEdges(edges),
        onRead,
      });
    });
  }
}
