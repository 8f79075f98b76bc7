import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import type { RowSums } from "./row-service.ts";

type Slots = Readonly<Record<string, Float32Array | Int32Array>>;

interface SparseRule {
  readonly name: string;
  /** Zeros for this rank's rows of an embedding */
  newSlots(numRows: number, dim: number): Slots;
  update(gradient: RowSums, dim: number, rows: Float32Array, slots: Slots, lr: number): void;
}

/**
 * Updates the rows of embeddings that a step touched, at their owners. Its state lies beside the rows: each rank has
 * that of its own. The learning rate must be equal on all ranks.
 */
export class SparseOptimizer {
  lr: number;
  readonly name: string;
  readonly embeddings: readonly DistEmbedding[];
  readonly #rule: SparseRule;
  readonly #slots: ReadonlyMap<DistEmbedding, Slots>;

  /** @throws GnnError SPEC_INVALID when there are no embeddings, or one has an optimizer already */
  constructor(embeddings: readonly DistEmbedding[], rule: SparseRule, lr: number) {
    if (embeddings.length === 0) throw new GnnError("SPEC_INVALID", `${rule.name} was given no embeddings.`);
    this.lr = lr;
    this.name = rule.name;
    this.embeddings = embeddings;
    this.#rule = rule;
    this.#slots = new Map(embeddings.map((rows) => [rows, rule.newSlots(rows.count, rows.dim)]));
    for (const [embedding, slots] of this.#slots) {
      embedding.attach((gradient, rows) => rule.update(gradient, embedding.dim, rows, slots, this.lr));
    }
  }

  /** Ends the step of the store: updates every row that gradients were pushed for. Every rank calls it. */
  async step(): Promise<void> {
    await this.embeddings[0]?.store.publish();
  }

  /** The state of this rank's rows, not a copy: [count, width] each. */
  state(embedding: DistEmbedding): readonly NamedTensor[] {
    const slots = this.#slots.get(embedding);
    if (!slots) throw new GnnError("SPEC_INVALID", `${this.name} does not update "${embedding.name}".`);
    const ofOneRow = this.#rule.newSlots(1, embedding.dim);
    return Object.entries(slots).map(([name, values]) => ({
      name,
      shape: [embedding.count, ofOneRow[name]?.length ?? 0],
      values,
    }));
  }
}

export interface SparseAdagradOptions {
  readonly lr: number;
  readonly epsilon?: number;
}

/**
 * Adagrad on the touched rows.
 *   s ← s + g²;  w ← w − lr·g / (√s + ε)
 * Duchi, Hazan and Singer 2011 (JMLR 12). DGL: SparseAdagrad.
 */
export class SparseAdagrad extends SparseOptimizer {
  constructor(embeddings: readonly DistEmbedding[], { lr, epsilon = 1e-10 }: SparseAdagradOptions) {
    super(
      embeddings,
      {
        name: "SparseAdagrad",
        newSlots: (numRows, dim) => ({ squares: new Float32Array(numRows * dim) }),
        update: ({ ids, rows: gradient }, dim, rows, slots, rate) =>
          nativeSync(() =>
            loadAddon().sparseAdagrad(ids, dim, gradient, rows, slots["squares"] as Float32Array, rate, epsilon),
          ),
      },
      lr,
    );
  }
}

export interface SparseAdamOptions {
  readonly lr: number;
  readonly beta1?: number;
  readonly beta2?: number;
  readonly epsilon?: number;
}

/**
 * Adam on the touched rows; t counts the updates of the row itself, so that a row touched late is corrected for bias
 * like one touched early.
 *   m ← β₁m + (1−β₁)g;  v ← β₂v + (1−β₂)g²;  w ← w − lr·m̂ / (√v̂ + ε),  m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ)
 * Kingma and Ba 2015 (arXiv:1412.6980). DGL: SparseAdam (torch.optim.SparseAdam counts the steps of the optimizer).
 */
export class SparseAdam extends SparseOptimizer {
  constructor(
    embeddings: readonly DistEmbedding[],
    { lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8 }: SparseAdamOptions,
  ) {
    super(
      embeddings,
      {
        name: "SparseAdam",
        newSlots: (numRows, dim) => ({
          momentum: new Float32Array(numRows * dim),
          variance: new Float32Array(numRows * dim),
          steps: new Int32Array(numRows),
        }),
        update: ({ ids, rows: gradient }, dim, rows, slots, rate) => {
          const momentum = slots["momentum"] as Float32Array;
          const variance = slots["variance"] as Float32Array;
          const steps = slots["steps"] as Int32Array;
          nativeSync(() =>
            loadAddon().sparseAdam(ids, dim, gradient, rows, momentum, variance, steps, rate, beta1, beta2, epsilon),
          );
        },
      },
      lr,
    );
  }
}
