/** What products of matrices multiply with; sums are float32. In the order of the device's own numbers. */
export const precisions = ["fp32", "tf32", "bf16"] as const;
export type Precision = (typeof precisions)[number];
