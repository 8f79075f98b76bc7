import type { BlockAttrs } from "../../../ops/spmm-max.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor } from "../../tf.ts";
import { registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

registerSharedKernel<"x", BlockAttrs>("SpmmMax", ({ inputs: { x }, attrs: { block }, backend, addon }) => {
  const dim = x.shape[1] as number;
  const out = backend.allocate([block.numDst, dim]);
  const share = backend.allocateSaved(block.numDst * dim);
  addon.spmmMax(backend.block(block), dim, backend.floats(x), out.values, share.values);
  return [out.info, share.info];
});

registerSharedKernel<"x" | "out" | "share" | "dy", BlockAttrs>("SpmmMaxGrad", ({ inputs, attrs, backend, addon }) => {
  const { block } = attrs;
  const dim = inputs.x.shape[1] as number;
  const dx = backend.allocate([block.numSrc, dim]);
  const x = backend.floats(inputs.x);
  const out = backend.floats(inputs.out);
  addon.spmmMaxGrad(
    backend.reversibleBlock(block),
    dim,
    x,
    out,
    backend.floats(inputs.share),
    backend.floats(inputs.dy),
    dx.values,
  );
  return dx.info;
});

registerNativeGradient(
  "SpmmMax",
  { inputsToSave: ["x"], outputsToSave: [true, true] },
  (dy, [x, out, share], attrs) => {
    const inputs = { x, out, share, dy } as Record<string, Tensor>;
    return { x: runKernel("SpmmMaxGrad", inputs, attrs)[0] as Tensor };
  },
);
