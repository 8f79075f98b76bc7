import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import { add, concat, keep, slice, sub, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { shareIds } from "../dist/share-ids.ts";
import type { Block } from "../graph/block.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import { createBlockSampler } from "../sampling/block-sampler.ts";
import { attachDegrees } from "../sampling/with-degrees.ts";
import { drawnWeights, type NeighborSum } from "./neighbor-sum.ts";

export interface DeviceHistoriesParts {
  readonly cuda: CudaBackend;
  readonly sum: NeighborSum;
  readonly rank: Pick<RankContext, "rank" | "collective">;
  /** Joins the devices of several ranks; null: there is one rank */
  readonly peers: PeerTensors | null;
}

/**
 * `Histories` in the memory of this rank's device: nothing of them is read back in a step. Each of several ranks has
 * all of them. What is remembered in a step is written when its gradients are on their way to be added up, with what
 * the other ranks remember; a row that several ranks have is that of the lowest of them, as in `Histories`.
 */
export class DeviceHistories {
  readonly #parts: DeviceHistoriesParts;
  readonly #sampleAll: ReturnType<typeof createBlockSampler>;
  /** float32 [numNodes, dim] of layers 1, 2, … */
  #rows: Tensor2D[] = [];
  /** For each block of the batch that is next: all in-edges of its dst nodes */
  #whole: readonly Block[] = [];
  /** What every rank has rows of in the batch that is next, by layer and rank */
  #named: readonly (readonly Int32Array[])[] = [];
  /** What this rank's step has made of each layer's rows so far */
  #made: Tensor2D[] = [];

  constructor(parts: DeviceHistoriesParts) {
    this.#parts = parts;
    const { graph } = parts.sum;
    this.#sampleAll = createBlockSampler({ graph, fanouts: [-1], replace: false, seed: 0 });
  }

  /** @param rows float32 [numNodes, dim] of each layer from the second on, which are copied */
  begin(rows: readonly Float32Array[]): void {
    this.dispose();
    const { numNodes } = this.#parts.sum.graph;
    this.#rows = rows.map((values) => tensor2d(values.slice(), [numNodes, values.length / numNodes]));
  }

  /** Looks up whose rows the sums over whole neighbourhoods read in the next batch, and which rows other ranks have. */
  async prepare(blocks: readonly Block[]): Promise<void> {
    const { sum, peers, rank } = this.#parts;
    this.#whole = await Promise.all(
      blocks.map(async ({ srcIds, numDst }) => {
        const [block] = await this.#sampleAll.sample(srcIds.slice(0, numDst), { epoch: 0, step: 0 });
        return sum.type === "gcn" ? attachDegrees(sum.graph, block as Block) : (block as Block);
      }),
    );
    const own = this.#rows.map((_, layer) => blocks[layer]?.srcIds ?? new Int32Array());
    this.#named = peers ? await shareIds(rank.collective, own) : own.map((ids) => [ids]);
  }

  /**
   * `controlVariateSum` of a layer ≥ 1 by what is remembered, which `mu` takes the place of when the step ends.
   *
   * @param mu float32 [block.numSrc, dim], on the tape
   * @returns  float32 [numDst, dim], for "mean" [2·numDst, dim], owned by the caller
   */
  sumAndRemember(layer: number, block: Block, mu: Tensor2D): Tensor2D {
    const history = this.#rows[layer - 1] as Tensor2D;
    const whole = this.#whole[layer - 1] as Block;
    const { type } = this.#parts.sum;
    this.#made[layer - 1] = keep(mu.clone());
    return tidy(() => {
      const ofAll = weightedSpmm(whole, gatherRows(history, whole.srcIds), drawnWeights(type, whole));
      const delta = sub<Tensor2D>(mu, gatherRows(history, block.srcIds));
      const estimate = add<Tensor2D>(weightedSpmm(block, delta, drawnWeights(type, block)), ofAll);
      return type === "mean" ? concat([slice(mu, [0, 0], [block.numDst, mu.shape[1]]), estimate]) : estimate;
    });
  }

  /** Writes what this step has made. Every rank calls it, one without seeds as well. */
  publish(): void {
    const { cuda, peers } = this.#parts;
    tidy(() => {
      for (const [layer, history] of this.#rows.entries()) {
        const named = this.#named[layer] as readonly Int32Array[];
        const made = this.#made[layer] ?? null;
        if (peers) this.#putJoined(history, named, made, peers);
        else if (made) cuda.putRows(made, named[0] as Int32Array, history);
      }
    });
    this.#forget();
  }

  dispose(): void {
    this.#forget();
    for (const rows of this.#rows.splice(0)) rows.dispose();
  }

  /** The rows of all ranks, each from the lowest rank that has it, in the order of the ranks. */
  #putJoined(history: Tensor2D, named: readonly Int32Array[], made: Tensor2D | null, peers: PeerTensors): void {
    const { cuda, rank } = this.#parts;
    const { ids, first, rows } = firstNamed(named, rank.rank);
    if (ids.length === 0) return;
    const own = made && rows.length > 0 ? gatherRows(made, rows) : null;
    cuda.putRows(peers.joinRows(own, { first, numRows: ids.length, dim: history.shape[1] }), ids, history);
  }

  #forget(): void {
    for (const made of this.#made.splice(0)) made?.dispose();
  }
}

/**
 * Each id once, in the order of the ranks.
 *
 * @returns where this rank's begin among them, and which of the rows that it named those are
 */
function firstNamed(named: readonly Int32Array[], rank: number) {
  const seen = new Set<number>();
  const rows: number[] = [];
  let first = 0;
  for (const [of, ids] of named.entries()) {
    if (of === rank) first = seen.size;
    for (const [row, id] of ids.entries()) {
      if (of === rank && !seen.has(id)) rows.push(row);
      seen.add(id);
    }
  }
  return { ids: Int32Array.from(seen), first, rows: Int32Array.from(rows) };
}
