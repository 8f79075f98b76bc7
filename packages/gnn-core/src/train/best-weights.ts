import type { NamedTensor } from "../io/safetensors.ts";

export interface Evaluation {
  readonly epoch: number;
  readonly metric: number;
}

/** The weights of one evaluation */
export interface KeptWeights extends Evaluation {
  readonly weights: readonly NamedTensor[];
}

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
  offer({ epoch, metric }: Evaluation, copy: () => readonly NamedTensor[]): void {
    const worse = this.#kept.findIndex((kept) => this.#sign * (metric - kept.metric) > 0);
    const place = worse === -1 ? this.#kept.length : worse;
    if (place >= this.#capacity) return;
    this.#kept = this.#kept.toSpliced(place, 0, { epoch, metric, weights: copy() }).slice(0, this.#capacity);
  }
}
