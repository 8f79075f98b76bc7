/**
 * softmax(z)_c = e^(z_c − max z) / Σ_k e^(z_k − max z), row by row.
 *
 * @param logits float32 [numRows, numClasses]
 * @returns one float32 [numRows] per class
 */
export function softmaxColumns(logits: Float32Array, numClasses: number): Float32Array[] {
  const numRows = logits.length / numClasses;
  const columns = Array.from({ length: numClasses }, () => new Float32Array(numRows));
  for (let row = 0; row < numRows; row++) {
    const start = row * numClasses;
    let max = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < numClasses; c++) max = Math.max(max, logits[start + c]!);
    let sum = 0;
    for (let c = 0; c < numClasses; c++) sum += Math.exp(logits[start + c]! - max);
    for (let c = 0; c < numClasses; c++) columns[c]![row] = Math.exp(logits[start + c]! - max) / sum;
  }
  return columns;
}
