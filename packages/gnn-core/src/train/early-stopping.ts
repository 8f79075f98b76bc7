import { type EvaluationMetric, modeOf } from "../spec/evaluation-metrics.ts";
import type { TrainOptions } from "../spec/train-options.ts";

export interface EarlyStoppingState {
  readonly best: { readonly epoch: number; readonly metric: number } | null;
  /** Evaluations in a row that were no better than the best. */
  readonly badEvaluations: number;
}

/**
 * Remembers the best evaluation and says when there have been `patience` in a row that did not beat it.
 * Without the option it still chooses the best weights (by the task's own metric) and never stops.
 * Fed with reduced values only, so every rank comes to the same answer.
 */
export class EarlyStopping {
  readonly metric: EvaluationMetric;
  readonly mode: "max" | "min";
  readonly #patience: number;
  #state: EarlyStoppingState = { best: null, badEvaluations: 0 };

  /** @param fallback the metric that decides when the options name none */
  constructor(options: TrainOptions["earlyStopping"], fallback: EvaluationMetric = "val/accuracy") {
    this.metric = options?.metric ?? fallback;
    this.mode = options?.mode ?? modeOf(this.metric);
    this.#patience = options?.patience ?? Number.POSITIVE_INFINITY;
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
