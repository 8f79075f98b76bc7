import { broadcast_util, type TensorInfo, util } from "../../tf.ts";
import type { FloatsHandle } from "../memory-addon.ts";
import { type BinaryOp, binaryOps, type UnaryOp, unaryOps } from "../stock-addon.ts";
import { planeOf, type StockCall, type StockOp } from "./stock-op.ts";

/** A function of each element; `parameterOf` reads the attribute that it has, if any. */
function unary(op: UnaryOp, parameterOf: (attrs: StockCall["attrs"]) => number = () => 0): StockOp {
  return ({ inputs, attrs, backend }) => {
    const x = inputs["x"] as TensorInfo;
    const out = backend.allocate(x.shape);
    backend.addon.applyUnary(unaryOps.indexOf(op), backend.floats(x), parameterOf(attrs), out.values);
    return out.info;
  };
}

interface Layout {
  readonly rows: number;
  readonly columns: number;
}

interface Operand {
  readonly values: FloatsHandle | null;
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

/** A function of two tensors whose elements pair up, or of one and the other's rows, columns or only number. */
function binary(op: BinaryOp, [nameA, nameB]: readonly [string, string] = ["a", "b"]): StockOp {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs[nameA], inputs[nameB]] as [TensorInfo, TensorInfo];
    const shape = broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape);
    const layout = layoutOf(shape, [a, b]);
    if (!layout) return null;
    const out = backend.allocate(shape);
    const { rows, columns } = layout;
    const [ofA, ofB] = [a, b].map((each) => operandOf(backend, each, layout)) as [Operand, Operand];
    backend.addon.applyBinary(
      binaryOps.indexOf(op),
      rows,
      columns,
      ofA.values,
      ofA.row,
      ofA.column,
      ofA.value,
      ofB.values,
      ofB.row,
      ofB.column,
      ofB.value,
      out.values,
    );
    return out.info;
  };
}

/** One row of all elements where nothing but a single number is repeated, else a matrix; null: neither. */
function layoutOf(shape: readonly number[], operands: readonly TensorInfo[]): Layout | null {
  const columns = util.sizeFromShape([...shape]);
  const sizes = operands.map((each) => util.sizeFromShape(each.shape));
  if (sizes.every((size) => size === 1 || size === columns)) return { rows: 1, columns };
  const plane = planeOf(shape);
  return plane && { rows: plane[0], columns: plane[1] };
}

function operandOf(backend: StockCall["backend"], tensor: TensorInfo, { rows, columns }: Layout): Operand {
  const size = util.sizeFromShape(tensor.shape);
  const known = size === 1 ? backend.knownScalar(tensor) : null;
  if (known !== null) return { values: null, row: 0, column: 0, value: known };
  const values = backend.floats(tensor);
  if (size === rows * columns) return { values, row: columns, column: 1, value: 0 };
  const [ownRows, ownColumns] = planeOf(tensor.shape) ?? [1, 1];
  return { values, row: ownRows === 1 ? 0 : ownColumns, column: ownColumns === 1 ? 0 : 1, value: 0 };
}

export const elementwiseOps: Readonly<Record<string, StockOp>> = {
  Abs: unary("abs"),
  Add: binary("add"),
  Cos: unary("cos"),
  Elu: unary("elu"),
  EluGrad: binary("eluGrad", ["dy", "y"]),
  Exp: unary("exp"),
  LeakyRelu: unary("leakyRelu", ({ alpha }) => alpha as number),
  Log1p: unary("log1p"),
  Multiply: binary("multiply"),
  Neg: unary("neg"),
  RealDiv: binary("divide"),
  Relu: unary("relu"),
  Rsqrt: unary("rsqrt"),
  Sigmoid: unary("sigmoid"),
  Sin: unary("sin"),
  Sqrt: unary("sqrt"),
  Square: unary("square"),
  Step: unary("step", ({ alpha }) => alpha as number),
  Sub: binary("subtract"),
  Tanh: unary("tanh"),
};
