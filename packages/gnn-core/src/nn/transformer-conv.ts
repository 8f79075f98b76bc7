import { add, mul, reshape, type Tensor2D, tanh, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { gelu } from "../ops/gelu.ts";
import { activate } from "./activate.ts";
import { firstRows } from "./first-rows.ts";
import type { ParametricLayer, TransformerOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { transformerAttention } from "./transformer-attention.ts";
import { typeLinear } from "./type-linear.ts";
import { filled } from "./variables.ts";

/**
 * Layer of a heterogeneous graph transformer; dropout on x while training. τ(v) is the type of v.
 *   z = attention with queries Q_τ(v)·x_v, keys K_τ(u)·x_u and messages V_τ(u)·x_u: transformer-attention.ts
 *   h_v = act(β_τ(v)·(O_τ(v)·gelu(z_v) + b_τ(v)) + (1 − β_τ(v))·W_τ(v)·x_v), β = sigmoid of a learned number
 * Hu et al. 2020 (arXiv:2003.01332), equations 3 to 5. There W is 1, as all layers are as wide as their input.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no types of edges
 */
export function transformerConvLayer(options: TransformerOptions): ParametricLayer {
  const { index, outDim, own } = options;
  const weights = typeWeights(options);
  const { query, key, value, output, self, skip } = weights;
  const attention = transformerAttention(options);
  const variables = [...weights.variables, ...attention.variables];
  const typesOf = (ids: Int32Array) => ids.map((node) => own?.types[node] ?? 0);
  return {
    outDim,
    variables,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const { srcIds, numDst } = block;
        const input = inputDropout(x, srcIds, options.dropout, index, context);
        const received = firstRows("transformerConv", input, numDst);
        const [ids, srcTypes] = [srcIds.subarray(0, numDst), typesOf(srcIds)];
        const types = srcTypes.subarray(0, numDst);
        const z = attention.attend(block, {
          query: query.apply(received, ids, types),
          key: key.apply(input, srcIds, srcTypes),
          value: value.apply(input, srcIds, srcTypes),
        });
        const changed = output.apply(gelu(z), ids, types);
        return activate(mixed(changed, self.apply(received, ids, types), skip(types)), options.activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}

/** Everything that a node's type has. */
function typeWeights({ index, inDim, outDim, width, own, seed }: TransformerOptions) {
  const numTypes = own?.numTypes ?? 1;
  const linear = (variable: string, from: number, to: number) => {
    const names = [`layers.${index}.${variable}`, `layers.${index}.${variable}Bias`] as const;
    return typeLinear({ names, numTypes, inDim: from, outDim: to, seed });
  };
  const query = linear("query", inDim, width);
  const key = linear("key", inDim, width);
  const value = linear("value", inDim, width);
  const output = linear("output", width, outDim);
  const self = linear("self", inDim, outDim);
  const share = filled(`layers.${index}.skip`, numTypes, 1);
  const variables = [...[query, key, value, output, self].flatMap((each) => each.variables), share];
  const skip = (types: Int32Array) => gatherRows(reshape(share.variable, [numTypes, 1]), types);
  return { query, key, value, output, self, skip, variables };
}

/** σ(s)·changed + (1 − σ(s))·kept, row by row; σ(s) = (1 + tanh(s/2)) / 2. */
function mixed(changed: Tensor2D, kept: Tensor2D, s: Tensor2D): Tensor2D {
  const half = mul<Tensor2D>(tanh(mul(s, 0.5)), 0.5);
  return add<Tensor2D>(mul(changed, add(half, 0.5)), mul(kept, add(mul(half, -1), 0.5)));
}
