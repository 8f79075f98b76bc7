import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import { add, concat, slice, sub, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import { createBlockSampler } from "../sampling/block-sampler.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import { drawnWeights, type NeighborSum } from "./neighbor-sum.ts";

/**
 * `Histories` of a rank that trains alone, in the memory of its device: nothing of them is read back in a step. What is
 * remembered is written at once, as nobody else reads.
 */
export class DeviceHistories {
  readonly #cuda: CudaBackend;
  readonly #sum: NeighborSum;
  readonly #sampleAll: ReturnType<typeof createBlockSampler>;
  /** float32 [numNodes, dim] of layers 1, 2, … */
  #rows: Tensor2D[] = [];
  /** For each block of the batch that is next: all in-edges of its dst nodes */
  #whole: readonly Block[] = [];

  constructor(cuda: CudaBackend, sum: NeighborSum) {
    this.#cuda = cuda;
    this.#sum = sum;
    this.#sampleAll = createBlockSampler({ graph: sum.graph, fanouts: [-1], replace: false, seed: 0 });
  }

  /** @param rows float32 [numNodes, dim] of each layer from the second on, which are copied */
  begin(rows: readonly Float32Array[]): void {
    this.dispose();
    const { numNodes } = this.#sum.graph;
    this.#rows = rows.map((values) => tensor2d(values.slice(), [numNodes, values.length / numNodes]));
  }

  /** Looks up whose rows the sums over whole neighbourhoods read in the next batch. */
  async prepare(blocks: readonly Block[]): Promise<void> {
    const { type, graph } = this.#sum;
    this.#whole = await Promise.all(
      blocks.map(async ({ srcIds, numDst }) => {
        const [block] = await this.#sampleAll.sample(srcIds.slice(0, numDst), { epoch: 0, step: 0 });
        return type === "gcn" ? attachDegrees(graph, block as Block) : (block as Block);
      }),
    );
  }

  /**
   * `controlVariateSum` of a layer ≥ 1 by what is remembered, which `mu` then takes the place of.
   *
   * @param mu float32 [block.numSrc, dim], on the tape
   * @returns  float32 [numDst, dim], for "mean" [2·numDst, dim], owned by the caller
   */
  sumAndRemember(layer: number, block: Block, mu: Tensor2D): Tensor2D {
    const history = this.#rows[layer - 1] as Tensor2D;
    const whole = this.#whole[layer - 1] as Block;
    const { type } = this.#sum;
    return tidy(() => {
      const ofAll = weightedSpmm(whole, gatherRows(history, whole.srcIds), drawnWeights(type, whole));
      const delta = sub<Tensor2D>(mu, gatherRows(history, block.srcIds));
      const estimate = add<Tensor2D>(weightedSpmm(block, delta, drawnWeights(type, block)), ofAll);
      this.#cuda.putRows(mu, block.srcIds, history);
      return type === "mean" ? concat([slice(mu, [0, 0], [block.numDst, mu.shape[1]]), estimate]) : estimate;
    });
  }

  dispose(): void {
    for (const rows of this.#rows.splice(0)) rows.dispose();
  }
}
