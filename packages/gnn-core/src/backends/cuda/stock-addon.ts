import type { FloatsHandle } from "./memory-addon.ts";

/** Functions of one number, numbered by their place, as native/include/gnn/cuda/math/elementwise.h has them. */
export const unaryOps = [
  "abs",
  "cos",
  "elu",
  "exp",
  "leakyRelu",
  "log1p",
  "neg",
  "relu",
  "rsqrt",
  "sigmoid",
  "sin",
  "sqrt",
  "square",
  "step",
  "tanh",
] as const;
export type UnaryOp = (typeof unaryOps)[number];

/** Functions of two numbers; `eluGrad` is a times the slope of ELU where its result is b */
export const binaryOps = ["add", "divide", "eluGrad", "multiply", "subtract"] as const;
export type BinaryOp = (typeof binaryOps)[number];

/** What stock ops of tfjs compute, on the device (native/binding/device/stock_binding.cc). */
export interface StockAddon {
  /** `parameter` is the slope of `leakyRelu` below 0, and what `step` gives there; the others do not read it */
  applyUnary(op: number, x: FloatsHandle, parameter: number, out: FloatsHandle): void;
  /**
   * out [rows, columns]; the element (row, column) of an operand is `a[row·aRow + column·aColumn]`, so that a step of 0
   * repeats it; that of an operand which is null is its value
   */
  applyBinary(
    op: number,
    rows: number,
    columns: number,
    a: FloatsHandle | null,
    aRow: number,
    aColumn: number,
    aValue: number,
    b: FloatsHandle | null,
    bRow: number,
    bColumn: number,
    bValue: number,
    out: FloatsHandle,
  ): void;
  sumAll(x: FloatsHandle, sum: FloatsHandle): void;
  sumRows(rows: number, columns: number, x: FloatsHandle, sums: FloatsHandle): void;
  sumColumns(rows: number, columns: number, x: FloatsHandle, sums: FloatsHandle): void;
  softmaxRows(rows: number, columns: number, x: FloatsHandle, out: FloatsHandle): void;
}
