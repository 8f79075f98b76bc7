import { slice, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { type LinearWeights, linear } from "../ops/linear.ts";
import { activate, splitActivation } from "./activate.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

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
  const { index, inDim, outDim, seed } = options;
  const { fused, rest } = splitActivation(options.activation);
  const variables = [
    glorotUniform(`layers.${index}.weight`, inDim, outDim, seed),
    zeros(`layers.${index}.bias`, outDim),
  ] as const;
  const weights: LinearWeights = {
    weight: variables[0].variable,
    bias: variables[1].variable,
  };
  return {
    outDim,
    variables,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const rowIds = block.srcIds.subarray(0, block.numDst);
        const input = inputDropout(firstRows(x, block.numDst), rowIds, options.dropout, index, context);
        return activate(linear(input, weights, fused), rest);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}

function firstRows(x: LayerInput, numRows: number): LayerInput {
  const found = "kind" in x ? x.numRows : x.shape[0];
  if (found === numRows) return x;
  if (found < numRows) {
    throw new GnnError("SHAPE_MISMATCH", `linear: x has ${found} rows; expected at least the ${numRows} dst rows.`);
  }
  if (!("kind" in x)) return slice(x, [0, 0], [numRows, x.shape[1]]);
  if (x.kind === "dense") return { ...x, numRows, values: x.values.subarray(0, numRows * x.dim) };
  const numValues = x.indptr[numRows] as number;
  return {
    ...x,
    numRows,
    indptr: x.indptr.subarray(0, numRows + 1),
    indices: x.indices.subarray(0, numValues),
    values: x.values.subarray(0, numValues),
  };
}
