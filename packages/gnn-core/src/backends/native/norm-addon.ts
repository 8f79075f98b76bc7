type Floats = Float32Array;

/** Normalisation and skip connections (native/binding/norm_binding.cc). Row-major; outputs are written in place. */
export interface NormAddon {
  /** out [rows, dim] = act(a[:rows] + b); activation as in `biasActivate` */
  addActivate(rows: number, rowsOfA: number, dim: number, a: Floats, b: Floats, activation: number, out: Floats): void;
  /** da [rowsOfA, dim] and db [rows, dim] */
  addActivateGrad(
    rows: number,
    rowsOfA: number,
    dim: number,
    out: Floats,
    dy: Floats,
    activation: number,
    da: Floats,
    db: Floats,
  ): void;
  /** moments [rows, 2] receives mean and 1/√(variance + epsilon) of each row */
  layerNorm(
    rows: number,
    dim: number,
    x: Floats,
    scale: Floats,
    shift: Floats,
    epsilon: number,
    moments: Floats,
    out: Floats,
  ): void;
  layerNormGrad(
    rows: number,
    dim: number,
    x: Floats,
    moments: Floats,
    scale: Floats,
    dy: Floats,
    dx: Floats,
    dScale: Floats,
    dShift: Floats,
  ): void;
  /** norms [rows] receives the Euclidean norm of each row, at least 1e-12 */
  l2Normalize(rows: number, dim: number, x: Floats, norms: Floats, out: Floats): void;
  l2NormalizeGrad(rows: number, dim: number, out: Floats, norms: Floats, dy: Floats, dx: Floats): void;
  /** out = (x − mean)·inverse·scale + shift, column by column */
  batchNorm(
    rows: number,
    dim: number,
    x: Floats,
    mean: Floats,
    inverse: Floats,
    scale: Floats,
    shift: Floats,
    out: Floats,
  ): void;
  /** With the statistics held fixed */
  batchNormGrad(
    rows: number,
    dim: number,
    x: Floats,
    mean: Floats,
    inverse: Floats,
    scale: Floats,
    dy: Floats,
    dx: Floats,
    dScale: Floats,
    dShift: Floats,
  ): void;
  /** sums [2, dim]: Σ (x − center) and Σ (x − center)² over the first `rows` rows */
  columnMoments(rows: number, rowsOfX: number, dim: number, x: Floats, center: Floats, sums: Floats): void;
  /** dx[row] += linear + quadratic·(x[row] − mean), for the first `rows` rows */
  addMomentGradient(
    rows: number,
    rowsOfX: number,
    dim: number,
    x: Floats,
    mean: Floats,
    linear: Floats,
    quadratic: Floats,
    dx: Floats,
  ): void;
}
