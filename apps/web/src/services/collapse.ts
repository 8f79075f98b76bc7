/**
 * How far embeddings have collapsed: 0 when they spread evenly over all dimensions, 1 when they lie on one line.
 *
 *   1 − (d − 1) / (D − 1), with the effective dimension d = (Σλ)² / Σλ² and the dimension D
 *
 * d is the participation ratio of the eigenvalues λ of the covariance. Null: there is nothing to tell, as of a map of
 * an earlier version.
 */
export function collapseScore(effectiveDim: number | null, dim: number): number | null {
  if (effectiveDim === null || dim < 2) return null;
  return Math.min(1, Math.max(0, 1 - (effectiveDim - 1) / (dim - 1)));
}

/** Below this no map of two axes shows more than a line. */
const leastDim = 1.5;

/** Whether the embeddings say next to nothing: all on one line, or all the same. */
export function hasCollapsed(effectiveDim: number | null): boolean {
  return effectiveDim !== null && effectiveDim < leastDim;
}
