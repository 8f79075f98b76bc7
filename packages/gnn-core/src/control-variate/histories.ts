import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { SharedRows } from "../dist/shared-rows.ts";

export interface HistoriesOptions {
  /** Width of the input rows of layers 1, 2, … */
  readonly dims: readonly number[];
  readonly numNodes: number;
  readonly rank: RankContext;
  readonly sharedRows: SharedRows;
}

interface Written {
  readonly layer: number;
  readonly ids: Int32Array;
  readonly rows: Float32Array;
}

/**
 * What is remembered of every node's hidden rows, float32 [numNodes, dim] per layer but the first: the memory that
 * exact inference writes the same rows to, shared by the ranks of the host.
 *
 * Versioned by step: what is remembered in a step is written by `publish`, after the reduction of the gradients has
 * told that no rank reads any more, and read from the next step on, which a barrier keeps back until all have written.
 * A row that several ranks have is written by the lowest of them, so that equal rank counts give equal bits.
 */
export class Histories {
  readonly #options: HistoriesOptions;
  readonly #written: Written[] = [];
  #step = 0;

  constructor(options: HistoriesOptions) {
    this.#options = options;
  }

  /** Input rows of a layer ≥ 1 as remembered: hidden rows of the layer before, by GlobalId */
  of(layer: number): Float32Array {
    const { sharedRows, numNodes } = this.#options;
    return sharedRows(`hidden-${layer - 1}`, numNodes * this.#dimOf(layer));
  }

  /** Forgets all claims on rows, on every rank: before the first step of a run. */
  async reset(): Promise<void> {
    const { dims, rank } = this.#options;
    this.#step = 0;
    this.#written.length = 0;
    if (rank.worldSize === 1) return;
    if (rank.rank === 0) for (const layer of dims.keys()) this.#claimsOn(layer + 1).fill(0);
    await rank.collective.barrier();
  }

  /** @param rows float32 [ids.length, dim], kept until `publish` */
  remember(layer: number, ids: Int32Array, rows: Float32Array): void {
    const { numNodes, rank } = this.#options;
    this.#written.push({ layer, ids, rows });
    if (rank.worldSize === 1) return;
    const claims = this.#claimsOn(layer);
    nativeSync(() => loadAddon().claimRows(numNodes, ids.length, ids, this.#step, rank.rank, claims));
  }

  /** Writes what was remembered since the last call. Every rank calls it, once the others have remembered theirs. */
  async publish(): Promise<void> {
    const { numNodes, rank } = this.#options;
    for (const { layer, ids, rows } of this.#written) {
      const claims = rank.worldSize === 1 ? null : this.#claimsOn(layer);
      const dim = this.#dimOf(layer);
      const out = this.of(layer);
      nativeSync(() =>
        loadAddon().writeClaimedRows(numNodes, ids.length, ids, this.#step, rank.rank, claims, dim, rows, out),
      );
    }
    this.#written.length = 0;
    this.#step += 1;
    if (rank.worldSize > 1) await rank.collective.barrier();
  }

  /** 64 bits for each row */
  #claimsOn(layer: number): Float32Array {
    return this.#options.sharedRows(`claims-${layer}`, 2 * this.#options.numNodes);
  }

  #dimOf(layer: number): number {
    return this.#options.dims[layer - 1] as number;
  }
}
