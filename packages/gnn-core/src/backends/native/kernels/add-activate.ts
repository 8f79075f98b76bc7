import type { AddAttrs } from "../../../ops/add-activate.ts";
import type { BiasActivation } from "../../../ops/bias-activate.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

interface AddGradAttrs extends AddAttrs {
  readonly rowsOfA: number;
}

/** As native/include/gnn/nn/bias_activate.h counts them. */
const codes = { none: 0, relu: 1, elu: 2, leakyRelu: 3, tanh: 4 } as const satisfies Record<BiasActivation, number>;

registerSharedKernel<"a" | "b", AddAttrs>("AddActivate", ({ inputs, attrs, backend, addon }) => {
  const [rows, dim] = inputs.b.shape as [number, number];
  const out = backend.allocate([rows, dim]);
  const a = backend.floats(inputs.a);
  const b = backend.floats(inputs.b);
  addon.addActivate(rows, inputs.a.shape[0] as number, dim, a, b, codes[attrs.activation], out.values);
  return out.info;
});

registerSharedKernel<"dy" | "out", AddGradAttrs>("AddActivateGrad", ({ inputs, attrs, backend, addon }) => {
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
  const [da, db] = runKernel("AddActivateGrad", inputs, gradAttrs) as [Tensor, Tensor];
  return { a: da, b: db };
});
