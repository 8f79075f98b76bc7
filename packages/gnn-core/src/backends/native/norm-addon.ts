import type { ArrayTypes, HostArrays } from "../memory.ts";

/** Normalisation and skip connections (native/binding/norm_binding.cc). Row-major; outputs are written in place. */
export interface NormAddon<M extends ArrayTypes = HostArrays> {
  /** out [rows, dim] = act(a[:rows] + b); activation as in `biasActivate` */
  addActivate(
    rows: number,
    rowsOfA: number,
    dim: number,
    a: M["floats"],
    b: M["floats"],
    activation: number,
    out: M["floats"],
  ): void;
  /** da [rowsOfA, dim] and db [rows, dim] */
  addActivateGrad(
    rows: number,
    rowsOfA: number,
    dim: number,
    out: M["floats"],
    dy: M["floats"],
    activation: number,
    da: M["floats"],
    db: M["floats"],
  ): void;
  /** moments [rows, 2] receives mean and 1/√(variance + epsilon) of each row */
  layerNorm(
    rows: number,
    dim: number,
    x: M["floats"],
    scale: M["floats"],
    shift: M["floats"],
    epsilon: number,
    moments: M["floats"],
    out: M["floats"],
  ): void;
  layerNormGrad(
    rows: number,
    dim: number,
    x: M["floats"],
    moments: M["floats"],
    scale: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
    dScale: M["floats"],
    dShift: M["floats"],
  ): void;
  /** norms [rows] receives the Euclidean norm of each row, at least 1e-12 */
  l2Normalize(rows: number, dim: number, x: M["floats"], norms: M["floats"], out: M["floats"]): void;
  l2NormalizeGrad(
    rows: number,
    dim: number,
    out: M["floats"],
    norms: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
  ): void;
  /** out = (x − mean)·inverse·scale + shift, column by column */
  batchNorm(
    rows: number,
    dim: number,
    x: M["floats"],
    mean: M["floats"],
    inverse: M["floats"],
    scale: M["floats"],
    shift: M["floats"],
    out: M["floats"],
  ): void;
  /** With the statistics held fixed */
  batchNormGrad(
    rows: number,
    dim: number,
    x: M["floats"],
    mean: M["floats"],
    inverse: M["floats"],
    scale: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
    dScale: M["floats"],
    dShift: M["floats"],
  ): void;
  /** sums [2, dim]: Σ (x − center) and Σ (x − center)² over the first `rows` rows */
  columnMoments(
    rows: number,
    rowsOfX: number,
    dim: number,
    x: M["floats"],
    center: M["floats"],
    sums: M["floats"],
  ): void;
  /** dx[row] += linear + quadratic·(x[row] − mean), for the first `rows` rows */
  addMomentGradient(
    rows: number,
    rowsOfX: number,
    dim: number,
    x: M["floats"],
    mean: M["floats"],
    linear: M["floats"],
    quadratic: M["floats"],
    dx: M["floats"],
  ): void;
}
