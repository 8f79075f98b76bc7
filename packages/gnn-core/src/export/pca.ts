/** The two main directions of a set of rows. */
export interface Pca {
  /** float64 [dim] */
  readonly mean: Float64Array;
  /** Two orthonormal directions, float64 [dim] each. */
  readonly axes: readonly [Float64Array, Float64Array];
  /** Share of the variance along each. */
  readonly explained: readonly [number, number];
  /**
   * Over how many directions the rows spread, (Σλ)² / Σλ² of the covariance's eigenvalues: dim when all are equal, 1
   * when the rows lie on a line, 0 when they are all the same.
   */
  readonly effectiveDim: number;
}

const maxProducts = 2e9;
const maxIterations = 300;
const tolerance = 1e-10;

/**
 * First two principal components by subspace iteration on the covariance matrix. Deterministic: fixed start, and
 * each axis is turned so that its largest component is positive. Very wide rows are thinned for the covariance.
 *
 * @param rows float32 [numRows, dim], row-major
 */
export function principalAxes(rows: Float32Array, dim: number): Pca {
  const numRows = rows.length / dim;
  const stride = Math.max(1, Math.ceil((numRows * dim * dim) / 2 / maxProducts));
  const mean = meanOf(rows, dim);
  const covariance = covarianceOf(rows, dim, mean, stride);
  let first = Float64Array.from({ length: dim }, (_, i) => 1 + Math.sin(i + 1));
  let second = Float64Array.from({ length: dim }, (_, i) => Math.cos(2 * i + 1));
  let values: [number, number] = [0, 0];
  for (let i = 0; i < maxIterations; i++) {
    const nextFirst = multiply(covariance, first);
    const nextSecond = multiply(covariance, second);
    const norms: [number, number] = [normalize(nextFirst), 0];
    orthogonalize(nextSecond, nextFirst);
    norms[1] = normalize(nextSecond);
    const moved = Math.abs(norms[0] - values[0]) + Math.abs(norms[1] - values[1]);
    first = nextFirst;
    second = nextSecond;
    values = norms;
    if (moved <= tolerance * (values[0] + values[1])) break;
  }
  let trace = 0;
  for (let i = 0; i < dim; i++) trace += covariance[i * dim + i]!;
  // The squares of a symmetric matrix's entries add up to those of its eigenvalues.
  const squares = covariance.reduce((sum, value) => sum + value * value, 0);
  const share = (value: number) => (trace > 0 ? value / trace : 0);
  return {
    mean,
    axes: [turned(first), turned(second)],
    explained: [share(values[0]), share(values[1])],
    effectiveDim: squares > 0 ? trace ** 2 / squares : 0,
  };
}

/** Coordinates of the rows along both axes: float32 [numRows, 2]. */
export function projectRows(rows: Float32Array, dim: number, { mean, axes }: Pca): Float32Array {
  const numRows = rows.length / dim;
  const points = new Float32Array(numRows * 2);
  for (let row = 0; row < numRows; row++) {
    let x = 0;
    let y = 0;
    for (let i = 0; i < dim; i++) {
      const value = rows[row * dim + i]! - mean[i]!;
      x += value * axes[0][i]!;
      y += value * axes[1][i]!;
    }
    points[row * 2] = x;
    points[row * 2 + 1] = y;
  }
  return points;
}

function meanOf(rows: Float32Array, dim: number): Float64Array {
  const mean = new Float64Array(dim);
  for (let i = 0; i < rows.length; i++) mean[i % dim] = mean[i % dim]! + rows[i]!;
  const numRows = Math.max(1, rows.length / dim);
  return mean.map((sum) => sum / numRows);
}

/** Σ (x − mean)(x − mean)ᵀ / count over every `stride`-th row; float64 [dim, dim]. */
function covarianceOf(rows: Float32Array, dim: number, mean: Float64Array, stride: number): Float64Array {
  const covariance = new Float64Array(dim * dim);
  const centred = new Float64Array(dim);
  let count = 0;
  for (let start = 0; start < rows.length; start += dim * stride) {
    for (let i = 0; i < dim; i++) centred[i] = rows[start + i]! - mean[i]!;
    for (let i = 0; i < dim; i++) {
      const value = centred[i]!;
      if (value === 0) continue;
      for (let j = i; j < dim; j++) covariance[i * dim + j] = covariance[i * dim + j]! + value * centred[j]!;
    }
    count++;
  }
  for (let i = 0; i < dim; i++) {
    for (let j = i; j < dim; j++) {
      const value = covariance[i * dim + j]! / count;
      covariance[i * dim + j] = value;
      covariance[j * dim + i] = value;
    }
  }
  return covariance;
}

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array<ArrayBuffer> {
  const dim = vector.length;
  const product = new Float64Array(dim);
  for (let i = 0; i < dim; i++) {
    let sum = 0;
    for (let j = 0; j < dim; j++) sum += matrix[i * dim + j]! * vector[j]!;
    product[i] = sum;
  }
  return product;
}

/** Scales to length 1 in place. @returns the length before; a zero vector stays zero */
function normalize(vector: Float64Array): number {
  const length = Math.hypot(...vector);
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! / length;
  return length;
}

function orthogonalize(vector: Float64Array, unit: Float64Array): void {
  let dot = 0;
  for (let i = 0; i < vector.length; i++) dot += vector[i]! * unit[i]!;
  for (let i = 0; i < vector.length; i++) vector[i] = vector[i]! - dot * unit[i]!;
}

function turned(axis: Float64Array): Float64Array {
  let largest = 0;
  for (const value of axis) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest < 0 ? axis.map((value) => -value) : axis;
}
