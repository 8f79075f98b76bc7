import type { CudaAddon } from "../backends/cuda/addon.ts";
import type { FloatsHandle, IntsHandle } from "../backends/cuda/memory-addon.ts";
import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import type { RowSums } from "./row-service.ts";

type Slots = Readonly<Record<string, Float32Array | Int32Array>>;

/** Rows of a table on a device, and what a step's gradient makes of some of them. */
export interface DeviceRowUpdate {
  readonly addon: CudaAddon;
  /** The table has so many */
  readonly numRows: number;
  readonly dim: number;
  /** Each once */
  readonly ids: IntsHandle;
  /** [ids, dim], of the loss summed over the step's seeds */
  readonly gradient: FloatsHandle;
  /** Sums of the step, by whose weight the gradient is divided */
  readonly sums: FloatsHandle;
  /** Says whether the step is finite; else nothing is updated */
  readonly scale: FloatsHandle;
  readonly rows: FloatsHandle;
  /** By name, as `SparseOptimizer.state` has them; int32 by their bits */
  readonly slots: ReadonlyMap<string, FloatsHandle>;
}

interface SparseRule {
  readonly name: string;
  /** Zeros for this rank's rows of an embedding */
  newSlots(numRows: number, dim: number): Slots;
  update(gradient: RowSums, dim: number, rows: Float32Array, slots: Slots, lr: number): void;
  /** Enqueues the same where the rows lie on a device. */
  onDevice(update: DeviceRowUpdate, lr: number): void;
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

  /** Updates rows that lie on a device, for a rank that has all of them; `state` is that of the host's. */
  stepOnDevice(update: DeviceRowUpdate): void {
    this.#rule.onDevice(update, this.lr);
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
        onDevice: ({ addon, numRows, dim, ids, gradient, sums, scale, rows, slots }, rate) =>
          addon.updateAdagradRows(
            ...([numRows, dim, ids, gradient, sums, scale, rows, slotOf(slots, "squares")] as const),
            rate,
            epsilon,
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
        onDevice: ({ addon, numRows, dim, ids, gradient, sums, scale, rows, slots }, rate) => {
          const [momentum, variance] = [slotOf(slots, "momentum"), slotOf(slots, "variance")];
          const state = [momentum, variance, slotOf(slots, "steps")] as const;
          const step = [numRows, dim, ids, gradient, sums, scale] as const;
          addon.updateAdamRows(...step, rows, ...state, rate, beta1, beta2, epsilon);
        },
      },
      lr,
    );
  }
}

function slotOf(slots: DeviceRowUpdate["slots"], name: string): FloatsHandle {
  return slots.get(name) as FloatsHandle;
}
