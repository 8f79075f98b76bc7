import type { SelectionMetric } from "../spec/task-metrics.ts";

export interface EarlyStoppingState {
  readonly best: { readonly epoch: number; readonly metric: number } | null;
  /** Evaluations in a row that were no better than the best. */
  readonly badEvaluations: number;
}

/**
 * Remembers the best evaluation and says when there have been `patience` in a row that did not beat it.
 * Without patience it still chooses the best weights and never stops.
 * Fed with reduced values only, so every rank comes to the same answer.
 */
export class EarlyStopping {
  readonly metric: string;
  readonly mode: "max" | "min";
  readonly #patience: number;
  #state: EarlyStoppingState = { best: null, badEvaluations: 0 };

  /** @param patience evaluations without improvement after which it stops */
  constructor({ metric, mode }: Pick<SelectionMetric, "metric" | "mode">, patience = Number.POSITIVE_INFINITY) {
    this.metric = metric;
    this.mode = mode;
    this.#patience = patience;
  }

  get state(): EarlyStoppingState {
    return this.#state;
  }

  get shouldStop(): boolean {
    return this.#state.badEvaluations >= this.#patience;
  }

  restore(state: EarlyStoppingState): void {
    this.#state = state;
  }

  /**
   * Takes one evaluation. Equal is not better: the earlier epoch stays the best one.
   *
   * @param metric null when there are no validation nodes: nothing is compared and nothing counted
   * @returns whether this is the best evaluation so far
   */
  update(epoch: number, metric: number | null): boolean {
    if (metric === null) return false;
    const { best, badEvaluations } = this.#state;
    const isBest = best === null || (this.mode === "min" ? metric < best.metric : metric > best.metric);
    this.#state = isBest
      ? { best: { epoch, metric }, badEvaluations: 0 }
      : { best, badEvaluations: badEvaluations + 1 };
    return isBest;
  }
}
