/** What values the features of a graph have: only 0 and 1, none below 0, or any. */
export const featureValueKinds = ["binary", "nonNegative", "any"] as const;
export type FeatureValueKind = (typeof featureValueKinds)[number];

/** Looks at the values of a feature matrix as they are read; the zeros that a CSR row leaves out need not be shown. */
export class FeatureValues {
  #kind: FeatureValueKind = "binary";
  #numNonZero = 0;

  get facts(): { readonly values: FeatureValueKind; readonly numNonZero: number } {
    return { values: this.#kind, numNonZero: this.#numNonZero };
  }

  add(values: Float32Array): void {
    let numNonZero = 0;
    let hasOther = false;
    let hasNegative = false;
    for (const value of values) {
      if (value === 0) continue;
      numNonZero++;
      hasOther ||= value !== 1;
      hasNegative ||= value < 0;
    }
    this.#numNonZero += numNonZero;
    if (hasNegative) this.#kind = "any";
    else if (hasOther && this.#kind === "binary") this.#kind = "nonNegative";
  }
}
