import type { AppnpAttrs, Hop } from "../../../ops/appnp.ts";
import type { ArrayTypes, ConstantFloats, KernelMemory } from "../../memory.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D, TensorInfo } from "../../tf.ts";
import { type KernelCall, registerNativeGradient, registerSharedKernel } from "../native-kernel.ts";

/** What both kernels of a hop take behind the block and before the rows */
function hopArguments<M extends ArrayTypes>(
  backend: KernelMemory<M>,
  { block, norm, key, threshold }: Hop,
  dim: number,
  { alpha, rowsOfH }: AppnpAttrs,
) {
  const edges = backend.constant(norm.edgeWeights as ConstantFloats);
  const selves = backend.constant(norm.selfWeights as ConstantFloats);
  return [dim, alpha, edges, selves, backend.constantInts(block.srcIds), key, threshold, rowsOfH] as const;
}

function forward<M extends ArrayTypes>({
  inputs,
  attrs,
  backend,
  addon,
}: KernelCall<"h" | "start", AppnpAttrs, M>): TensorInfo {
  const dim = inputs.h.shape[1] as number;
  const h = backend.floats(inputs.h);
  let z: TensorInfo | null = null;
  for (const hop of attrs.hops) {
    const out = backend.allocate([hop.block.numDst, dim]);
    const rows = backend.floats(z ?? inputs.start ?? inputs.h);
    addon.appnpHop(backend.block(hop.block), ...hopArguments(backend, hop, dim, attrs), rows, h, out.values);
    release(backend, z);
    z = out.info;
  }
  return z as TensorInfo;
}

function gradient<M extends ArrayTypes>({
  inputs,
  attrs,
  backend,
  addon,
}: KernelCall<"dy", AppnpAttrs, M>): TensorInfo | TensorInfo[] {
  const { hops, rowsOfH, startsFromH } = attrs;
  const dim = inputs.dy.shape[1] as number;
  const dh = backend.allocate([rowsOfH, dim]);
  backend.fill(dh.values, 0);
  let g: TensorInfo | null = null;
  for (const hop of hops.toReversed()) {
    const dz = backend.allocate([hop.block.numSrc, dim]);
    const dy = backend.floats(g ?? inputs.dy);
    const block = backend.reversibleBlock(hop.block);
    const edges = backend.reverseEdges(hop.block);
    addon.appnpHopGrad(block, ...hopArguments(backend, hop, dim, attrs), edges, dy, dz.values, dh.values);
    release(backend, g);
    g = dz.info;
  }
  if (!startsFromH) return [dh.info, g as TensorInfo];
  addon.addActivate(rowsOfH, rowsOfH, dim, backend.floats(g as TensorInfo), dh.values, 0, dh.values);
  release(backend, g);
  return dh.info;
}

registerSharedKernel("Appnp", forward);
registerSharedKernel("AppnpGrad", gradient);

function release<M extends ArrayTypes>(backend: KernelMemory<M>, tensor: TensorInfo | null): void {
  if (tensor) backend.disposeData(tensor.dataId);
}

registerNativeGradient("Appnp", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => {
  const [h, start] = runKernel("AppnpGrad", { dy }, attrs) as [Tensor2D, Tensor2D?];
  return { h, ...(start && { start }) };
});
