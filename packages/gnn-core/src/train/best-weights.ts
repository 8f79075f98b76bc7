import type { NamedTensor } from "../io/safetensors.ts";

export interface Evaluation {
  readonly epoch: number;
  readonly metric: number;
}

export interface CopiedWeights {
  readonly weights: readonly NamedTensor[];
  /** This rank's learnable rows, where nodes have some */
  readonly rows?: Float32Array;
}

/** The weights of one evaluation */
export interface KeptWeights extends Evaluation, CopiedWeights {}

/** The weights of the k best evaluations, best first; of equal ones the earlier is the better. */
export class BestWeights {
  readonly #capacity: number;
  readonly #sign: 1 | -1;
  #kept: readonly KeptWeights[] = [];

  constructor(capacity: number, mode: "max" | "min") {
    this.#capacity = capacity;
    this.#sign = mode === "min" ? -1 : 1;
  }

  get kept(): readonly KeptWeights[] {
    return this.#kept;
  }

  restore(kept: readonly KeptWeights[]): void {
    this.#kept = kept;
  }

  /** Keeps the present weights if they are among the best; they are copied only then. */
  offer({ epoch, metric }: Evaluation, copy: () => CopiedWeights): void {
    const worse = this.#kept.findIndex((kept) => this.#sign * (metric - kept.metric) > 0);
    const place = worse === -1 ? this.#kept.length : worse;
    if (place >= this.#capacity) return;
    this.#kept = this.#kept.toSpliced(place, 0, { epoch, metric, ...copy() }).slice(0, this.#capacity);
  }
}
