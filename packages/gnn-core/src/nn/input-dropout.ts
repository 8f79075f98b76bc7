import { dropout, dropoutFeatures } from "../ops/dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";

/** Dropout of a layer's input while training; the input itself otherwise. */
export function inputDropout(
  x: LayerInput,
  rowIds: Int32Array,
  rate: number,
  layer: number,
  context: ForwardContext,
): LayerInput {
  if (!context.training || rate === 0) return x;
  const key = { seed: context.seed, layer, epoch: context.epoch, step: context.step };
  return "kind" in x ? dropoutFeatures(x, rowIds, rate, key) : dropout(x, rowIds, rate, key);
}
