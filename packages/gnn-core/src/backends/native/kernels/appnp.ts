import type { AppnpAttrs, Hop } from "../../../ops/appnp.ts";
import { runKernel } from "../../run-kernel.ts";
import type { Tensor2D, TensorInfo } from "../../tf.ts";
import type { NativeAddon } from "../addon.ts";
import type { NativeBackend } from "../native-backend.ts";
import { registerNativeGradient, registerNativeKernel } from "../native-kernel.ts";
import { nativeBlock, reversibleBlock } from "./block-args.ts";

type HopArguments =
  Parameters<NativeAddon["appnpHop"]> extends [...infer Shape, Float32Array, Float32Array, Float32Array]
    ? Shape extends readonly [unknown, ...infer Rest]
      ? Rest
      : never
    : never;

function hopArguments({ block, norm, key, threshold }: Hop, dim: number, alpha: number, rowsOfH: number): HopArguments {
  const edges = norm.edgeWeights as Float32Array;
  const selves = norm.selfWeights as Float32Array;
  return [dim, alpha, edges, selves, block.srcIds, key, threshold, rowsOfH];
}

registerNativeKernel<"h" | "start", AppnpAttrs>("Appnp", ({ inputs, attrs, backend, addon }) => {
  const { hops, alpha, rowsOfH } = attrs;
  const dim = inputs.h.shape[1] as number;
  const h = backend.floats(inputs.h);
  let z: TensorInfo | null = null;
  for (const hop of hops) {
    const out = backend.allocate([hop.block.numDst, dim]);
    const rows = backend.floats(z ?? inputs.start ?? inputs.h);
    addon.appnpHop(nativeBlock(hop.block), ...hopArguments(hop, dim, alpha, rowsOfH), rows, h, out.values);
    release(backend, z);
    z = out.info;
  }
  return z as TensorInfo;
});

registerNativeKernel<"dy", AppnpAttrs>("AppnpGrad", ({ inputs, attrs, backend, addon }) => {
  const { hops, alpha, rowsOfH, startsFromH } = attrs;
  const dim = inputs.dy.shape[1] as number;
  const dh = backend.allocate([rowsOfH, dim]);
  dh.values.fill(0);
  let g: TensorInfo | null = null;
  for (const hop of hops.toReversed()) {
    const dz = backend.allocate([hop.block.numSrc, dim]);
    const dy = backend.floats(g ?? inputs.dy);
    const { edges } = hop.block.reverse;
    const block = reversibleBlock(hop.block);
    addon.appnpHopGrad(block, ...hopArguments(hop, dim, alpha, rowsOfH), edges, dy, dz.values, dh.values);
    release(backend, g);
    g = dz.info;
  }
  if (!startsFromH) return [dh.info, g as TensorInfo];
  addon.addActivate(rowsOfH, rowsOfH, dim, backend.floats(g as TensorInfo), dh.values, 0, dh.values);
  release(backend, g);
  return dh.info;
});

function release(backend: NativeBackend, tensor: TensorInfo | null): void {
  if (tensor) backend.disposeData(tensor.dataId);
}

registerNativeGradient("Appnp", { inputsToSave: [], outputsToSave: [] }, (dy, _saved, attrs) => {
  const [h, start] = runKernel("AppnpGrad", { dy }, attrs) as [Tensor2D, Tensor2D?];
  return { h, ...(start && { start }) };
});
