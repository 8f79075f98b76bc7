import { type ClassCounts, countNode, f1Of, noClassCounts } from "./class-counts.ts";
import { addSums, type ClassificationMetrics, evaluateLogits, metricsOf, noSums } from "./metrics.ts";

/** A confusion matrix of more classes than this is neither kept nor shown. */
export const maxConfusionClasses = 100;

export interface SplitCounts extends ClassificationMetrics {
  readonly macroF1: number | null;
  readonly microF1: number | null;
}

/** Everything that is counted over the evaluated nodes of one split. Tallies of several ranks add up. */
export class SplitTally {
  readonly #classWeights: Float32Array;
  readonly #counts: ClassCounts;
  /** [label, predicted]; empty with too many classes */
  readonly #confusion: Float64Array;
  #sums = noSums;

  /** @param classWeights float32 [numClasses], loss weight of each class */
  constructor(classWeights: Float32Array) {
    const numClasses = classWeights.length;
    this.#classWeights = classWeights;
    this.#counts = noClassCounts(numClasses);
    this.#confusion = new Float64Array(numClasses <= maxConfusionClasses ? numClasses ** 2 : 0);
  }

  /** Counts the included rows of a chunk; see `evaluateLogits`. */
  add(logits: Float32Array, labels: Int32Array, isIncluded: (row: number) => boolean): void {
    const numClasses = this.#classWeights.length;
    const sums = evaluateLogits(logits, labels, this.#classWeights, isIncluded, (label, predicted) => {
      countNode(this.#counts, label, predicted);
      const cell = label * numClasses + predicted;
      if (cell < this.#confusion.length) this.#confusion[cell] = (this.#confusion[cell] as number) + 1;
    });
    this.#sums = addSums(this.#sums, sums);
  }

  /** All counts as float32, ready to be summed over ranks. */
  flat(): Float32Array {
    const { lossSum, weightSum, correct, count } = this.#sums;
    const { truePositives, predicted, actual } = this.#counts;
    const parts = [[lossSum, weightSum, correct, count], truePositives, predicted, actual, this.#confusion];
    return Float32Array.from(parts.flatMap((part) => [...part]));
  }

  /** Takes the sums of all ranks in place of its own. */
  assign(flat: Float32Array): void {
    const [lossSum = 0, weightSum = 0, correct = 0, count = 0] = flat;
    this.#sums = { lossSum, weightSum, correct, count };
    let offset = 4;
    const { truePositives, predicted, actual } = this.#counts;
    for (const values of [truePositives, predicted, actual, this.#confusion]) {
      values.set(flat.subarray(offset, offset + values.length));
      offset += values.length;
    }
  }

  get metrics(): SplitCounts {
    return { ...metricsOf(this.#sums), ...f1Of(this.#counts) };
  }

  /** How many nodes of each label (row) were predicted as each class (column); null with more than 100 classes. */
  get confusion(): number[][] | null {
    const numClasses = this.#classWeights.length;
    if (numClasses > maxConfusionClasses) return null;
    return Array.from({ length: numClasses }, (_, label) => [
      ...this.#confusion.subarray(label * numClasses, (label + 1) * numClasses),
    ]);
  }
}
