import { ratio } from "./batch-sums.ts";
import { type ClassCounts, countNode, f1Of, noClassCounts } from "./class-counts.ts";
import { argMax, crossEntropyOf } from "./metrics.ts";
import type { Metrics, TaskTally } from "./node-task.ts";

/** A confusion matrix of more classes than this is neither kept nor shown. */
export const maxConfusionClasses = 100;

/** loss, accuracy, macroF1, microF1 and the confusion matrix of nodes with one class each. */
export class SplitTally implements TaskTally {
  readonly #classWeights: Float32Array;
  readonly #labels: Int32Array;
  readonly #counts: ClassCounts;
  /** [label, predicted]; empty with too many classes */
  readonly #confusion: Float64Array;
  /** Σ weight · cross-entropy, Σ weight, correct, count */
  readonly #sums = new Float64Array(4);

  /**
   * @param classWeights float32 [numClasses], loss weight of each class
   * @param labels       int32 [numNodes]
   */
  constructor(classWeights: Float32Array, labels: Int32Array) {
    const numClasses = classWeights.length;
    this.#classWeights = classWeights;
    this.#labels = labels;
    this.#counts = noClassCounts(numClasses);
    this.#confusion = new Float64Array(numClasses <= maxConfusionClasses ? numClasses ** 2 : 0);
  }

  addRow(outputs: Float32Array, row: number, node: number): void {
    const numClasses = this.#classWeights.length;
    const label = this.#labels[node] as number;
    const weight = this.#classWeights[label] as number;
    const predicted = argMax(outputs, row, numClasses);
    this.#add(0, weight * crossEntropyOf(outputs, row, numClasses, label, predicted));
    this.#add(1, weight);
    this.#add(2, Number(predicted === label));
    this.#add(3, 1);
    countNode(this.#counts, label, predicted);
    const cell = label * numClasses + predicted;
    if (cell < this.#confusion.length) this.#confusion[cell] = (this.#confusion[cell] as number) + 1;
  }

  flat(): Float32Array {
    return Float32Array.from(this.#parts().flatMap((part) => [...part]));
  }

  assign(flat: Float32Array): void {
    let offset = 0;
    for (const values of this.#parts()) {
      values.set(flat.subarray(offset, offset + values.length));
      offset += values.length;
    }
  }

  get metrics(): Metrics {
    const [lossSum = 0, weightSum = 0, correct = 0, count = 0] = this.#sums;
    return { loss: ratio(lossSum, weightSum), accuracy: ratio(correct, count), ...f1Of(this.#counts) };
  }

  /** How many nodes of each label (row) were predicted as each class (column); null with more than 100 classes. */
  get confusion(): number[][] | null {
    const numClasses = this.#classWeights.length;
    if (numClasses > maxConfusionClasses) return null;
    return Array.from({ length: numClasses }, (_, label) => [
      ...this.#confusion.subarray(label * numClasses, (label + 1) * numClasses),
    ]);
  }

  #parts(): readonly Float64Array[] {
    const { truePositives, predicted, actual } = this.#counts;
    return [this.#sums, truePositives, predicted, actual, this.#confusion];
  }

  #add(index: number, value: number): void {
    this.#sums[index] = (this.#sums[index] as number) + value;
  }
}
