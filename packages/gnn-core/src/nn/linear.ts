import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { dense } from "./dense.ts";
import { firstRows } from "./first-rows.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import type { ForwardContext, LayerInput } from "./model.ts";

/**
 * Dense layer on the dst rows; edges are not read.
 *   h_v = act(W·x_v + b), dropout on x while training
 *
 * forward(block, x, context):
 *   x        float32 [n ≥ block.numDst, inDim]; only the first numDst rows (the dst nodes) are read
 *   returns  float32 [block.numDst, outDim], owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has fewer rows than numDst, or not inDim columns
 */
export function linearLayer(options: LayerOptions): ParametricLayer {
  const { variables, apply } = dense({ ...options, name: `layers.${options.index}` });
  return {
    outDim: options.outDim,
    variables,
    outputBias: variables[1],
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => apply(firstRows("linear", x, block.numDst), block.srcIds.subarray(0, block.numDst), context)),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
