/**
 * log softmax of one row: in the order of the probabilities, and still distinct where these round to 1. The largest
 * logit's own term is left out of the sum so that nothing cancels.
 */
export function logSoftmax(logits: Float32Array, out: Float32Array): void {
  let top = 0;
  for (let c = 1; c < logits.length; c++) if ((logits[c] as number) > (logits[top] as number)) top = c;
  const max = logits[top] as number;
  let others = 0;
  for (let c = 0; c < logits.length; c++) if (c !== top) others += Math.exp((logits[c] as number) - max);
  const logSum = Math.log1p(others);
  for (let c = 0; c < logits.length; c++) out[c] = (logits[c] as number) - max - logSum;
}
