import { registerNativeGradient, registerNativeKernel, runNativeKernel } from "../backends/native/native-kernel.ts";
import { add, getBackend, slice, type Tensor, type Tensor2D, tidy, zeros } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type BiasActivation, biasActivate } from "./bias-activate.ts";

interface AddAttrs {
  readonly activation: BiasActivation;
}
interface AddGradAttrs extends AddAttrs {
  readonly rowsOfA: number;
}

/** As native/include/gnn/nn/bias_activate.h counts them. */
const codes = { none: 0, relu: 1, elu: 2, leakyRelu: 3, tanh: 4 } as const satisfies Record<BiasActivation, number>;

/**
 * out = act(a + b): what two ways through a layer give together. Of `a` the first rows are read, as the dst rows of a
 * block are its first src rows.
 *
 * @param a  float32 [≥ n, dim]
 * @param b  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when a has fewer rows than b, or other columns
 */
export function addActivate(a: Tensor2D, b: Tensor2D, activation: BiasActivation): Tensor2D {
  if (a.shape[0] < b.shape[0] || a.shape[1] !== b.shape[1]) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `addActivate: a is [${a.shape.join(", ")}]; expected at least ${b.shape[0]} rows of ${b.shape[1]} columns.`,
    );
  }
  if (getBackend() !== "native") return tidy(() => composeAddActivate(a, b, activation));
  return runNativeKernel("AddActivate", { a, b }, { activation } satisfies AddAttrs)[0] as Tensor2D;
}

/** The same from stock ops. */
export function composeAddActivate(a: Tensor2D, b: Tensor2D, activation: BiasActivation): Tensor2D {
  const [rows, dim] = b.shape;
  return biasActivate(add<Tensor2D>(slice(a, [0, 0], [rows, dim]), b), zeros([dim]), activation);
}

registerNativeKernel<"a" | "b", AddAttrs>("AddActivate", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.b.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const a = backend.floats(inputs.a);
  const b = backend.floats(inputs.b);
  addon.addActivate(rows, inputs.a.shape[0] as number, dim, a, b, codes[attrs.activation], out.values);
  return out.info;
});

registerNativeKernel<"dy" | "out", AddGradAttrs>("AddActivateGrad", ({ inputs, attrs, backend, addon }) => {
  const { activation, rowsOfA } = attrs;
  const [rows, dim] = inputs.dy.shape as [number, number];
  const da = backend.allocate([rowsOfA, dim]);
  const db = backend.allocate([rows, dim]);
  const out = backend.floats(inputs.out);
  const dy = backend.floats(inputs.dy);
  addon.addActivateGrad(rows, rowsOfA, dim, out, dy, codes[activation], da.values, db.values);
  return [da.info, db.info];
});

registerNativeGradient("AddActivate", { inputsToSave: ["a"], outputsToSave: [true] }, (dy, [a, out], attrs) => {
  const gradAttrs: AddGradAttrs = { ...(attrs as AddAttrs), rowsOfA: a?.shape[0] as number };
  const inputs = { dy, out: out as Tensor };
  const [da, db] = runNativeKernel("AddActivateGrad", inputs, gradAttrs) as [Tensor, Tensor];
  return { a: da, b: db };
});
