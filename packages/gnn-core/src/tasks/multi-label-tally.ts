import type { LabelSets } from "../graph/label-sets.ts";
import { ratio } from "./batch-sums.ts";
import { type ClassCounts, f1Of, noClassCounts } from "./class-counts.ts";
import type { Metrics, TaskTally } from "./node-task.ts";

/** loss, macroF1 and microF1 of nodes with several labels. */
export class MultiLabelTally implements TaskTally {
  readonly confusion = null;
  readonly #sets: LabelSets;
  readonly #positiveWeights: Float32Array;
  readonly #cuts: Float64Array;
  readonly #start: Float32Array | null;
  readonly #counts: ClassCounts;
  #lossSum = 0;
  #weightSum = 0;

  /**
   * @param cuts  output from which on each label is predicted
   * @param start what is added to the outputs for the logits of the loss
   */
  constructor(sets: LabelSets, positiveWeights: Float32Array, cuts: Float64Array, start: Float32Array | null) {
    this.#sets = sets;
    this.#positiveWeights = positiveWeights;
    this.#cuts = cuts;
    this.#start = start;
    this.#counts = noClassCounts(sets.numClasses);
  }

  addRow(outputs: Float32Array, row: number, node: number): void {
    const { numClasses, indptr, indices } = this.#sets;
    let next = indptr[node] as number;
    const end = indptr[node + 1] as number;
    for (let c = 0; c < numClasses; c++) {
      const isActual = next < end && indices[next] === c;
      if (isActual) next++;
      this.#addEntry(c, outputs[row * numClasses + c] as number, isActual);
    }
  }

  flat(): Float32Array {
    const { truePositives, predicted, actual } = this.#counts;
    const parts = [[this.#lossSum, this.#weightSum], truePositives, predicted, actual];
    return Float32Array.from(parts.flatMap((part) => [...part]));
  }

  assign(flat: Float32Array): void {
    this.#lossSum = flat[0] as number;
    this.#weightSum = flat[1] as number;
    let offset = 2;
    for (const values of [this.#counts.truePositives, this.#counts.predicted, this.#counts.actual]) {
      values.set(flat.subarray(offset, offset + values.length));
      offset += values.length;
    }
  }

  get metrics(): Metrics {
    return { loss: ratio(this.#lossSum, this.#weightSum), ...f1Of(this.#counts) };
  }

  #addEntry(c: number, output: number, isActual: boolean): void {
    const { truePositives, predicted, actual } = this.#counts;
    const isPredicted = output >= (this.#cuts[c] as number);
    const z = output + (this.#start?.[c] ?? 0);
    if (isPredicted) predicted[c] = (predicted[c] as number) + 1;
    if (isActual) actual[c] = (actual[c] as number) + 1;
    if (isPredicted && isActual) truePositives[c] = (truePositives[c] as number) + 1;
    const softplus = Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)));
    this.#lossSum += isActual ? (this.#positiveWeights[c] as number) * (softplus - z) : softplus;
    this.#weightSum += 1;
  }
}
