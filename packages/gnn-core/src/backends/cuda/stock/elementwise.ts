import { type BroadcastPlane, broadcastPlane, type Strides, stridesIn } from "../../broadcast-plane.ts";
import { type TensorInfo, util } from "../../tf.ts";
import type { FloatsHandle } from "../memory-addon.ts";
import { type BinaryOp, binaryOps, type UnaryOp, unaryOps } from "../stock-addon.ts";
import { type StockCall, type StockOp } from "./stock-op.ts";

/** A function of each element; `parameterOf` reads the attribute that it has, if any. */
function unary(op: UnaryOp, parameterOf: (attrs: StockCall["attrs"]) => number = () => 0): StockOp {
  return ({ inputs, attrs, backend }) => {
    const x = inputs["x"] as TensorInfo;
    const out = backend.allocate(x.shape);
    backend.addon.applyUnary(unaryOps.indexOf(op), backend.floats(x), parameterOf(attrs), out.values);
    return out.info;
  };
}

interface Operand extends Strides {
  readonly values: FloatsHandle | null;
  readonly value: number;
}

/** A function of two tensors whose elements pair up, or of one and the other's rows, columns or only number. */
function binary(op: BinaryOp, [nameA, nameB]: readonly [string, string] = ["a", "b"]): StockOp {
  return ({ inputs, backend }) => {
    const [a, b] = [inputs[nameA], inputs[nameB]] as [TensorInfo, TensorInfo];
    const plane = broadcastPlane(a, b);
    if (!plane) return null;
    const { rows, columns } = plane;
    const out = backend.allocate(plane.shape);
    const [ofA, ofB] = [a, b].map((each) => operandOf(backend, each, plane)) as [Operand, Operand];
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

function operandOf(backend: StockCall["backend"], tensor: TensorInfo, plane: BroadcastPlane): Operand {
  const known = util.sizeFromShape(tensor.shape) === 1 ? backend.knownScalar(tensor) : null;
  if (known !== null) return { values: null, row: 0, column: 0, value: known };
  return { values: backend.floats(tensor), ...stridesIn(plane, tensor), value: 0 };
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
