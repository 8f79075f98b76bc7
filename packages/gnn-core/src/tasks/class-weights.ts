/**
 * Loss weight of each class. `balanced` is scikit-learn's: numLabelled / (numClasses · count), so that every class
 * weighs the same in total; a class without training nodes has weight 0. `none` is 1 throughout.
 *
 * @param labels  int32 [N], -1 = unlabelled
 * @param nodes   the training nodes, row numbers into `labels`
 */
export function classWeights(
  kind: "none" | "balanced",
  labels: Int32Array,
  nodes: Int32Array,
  numClasses: number,
): Float32Array {
  if (kind === "none") return new Float32Array(numClasses).fill(1);
  const counts = new Float64Array(numClasses);
  let numLabelled = 0;
  for (const node of nodes) {
    const label = labels[node] as number;
    if (label < 0) continue;
    counts[label] = (counts[label] as number) + 1;
    numLabelled += 1;
  }
  return Float32Array.from(counts, (count) => (count === 0 ? 0 : numLabelled / (numClasses * count)));
}
