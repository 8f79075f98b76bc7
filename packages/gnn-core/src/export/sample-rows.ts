/**
 * At most `maxRows` row numbers, ascending: every class (unlabelled ones included) gives its share, evenly spread
 * over its rows and at least one. Deterministic.
 *
 * @param labels int32 [numRows], -1 = unlabelled
 */
export function sampleRows(labels: Int32Array, maxRows: number): Int32Array {
  if (labels.length <= maxRows) return Int32Array.from(labels, (_, row) => row);
  const counts = new Map<number, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const share = Math.max(0, maxRows - counts.size) / labels.length;
  const quotas = new Map([...counts].map(([label, count]) => [label, Math.floor(count * share) + 1]));
  const seen = new Map<number, number>();
  const chosen: number[] = [];
  for (let row = 0; row < labels.length && chosen.length < maxRows; row++) {
    const label = labels[row]!;
    const before = seen.get(label) ?? 0;
    seen.set(label, before + 1);
    const perRow = quotas.get(label)! / counts.get(label)!;
    // Taken when the running share passes a whole number: quota rows in all, evenly spaced.
    if (Math.ceil((before + 1) * perRow - 1e-9) > Math.ceil(before * perRow - 1e-9)) chosen.push(row);
  }
  return Int32Array.from(chosen);
}
