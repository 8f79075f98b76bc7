import { type Tensor2D, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { biasActivate } from "../ops/bias-activate.ts";
import { columnRange, joinColumns } from "../ops/columns.ts";
import { project } from "../ops/project.ts";
import { firstRows } from "./first-rows.ts";
import type { JumpingOptions, ParametricLayer } from "./index.ts";
import type { LayerInput } from "./model.ts";
import { glorotUniform, zeros } from "./variables.ts";

/**
 * Layers all of whose rows are read, and not those of the last one alone:
 *   y_v = x_v·J⁰ + h¹_v·J¹ + … + hᴷ_v·Jᴷ + b, with hᵏ from layer k
 * Xu et al. 2018 (arXiv:1806.03536), rows side by side before a linear map; of whole graphs, section 4.2 of Xu et al.
 * 2019 (arXiv:1810.00826). Rows between layers are [hᵏ ‖ what is added up so far], so that each knows all before.
 *
 * forward(block, x, context) of the first layer reads x [numSrc, inDim], of others [numSrc, width + outDim]; the last
 * one gives [numDst, outDim], others [numDst, width + outDim], owned by the caller.
 *
 * @param layers in order, each `width` wide and reading what the one before it gives; the result owns them
 */
export function jumpingLayers(layers: readonly ParametricLayer[], options: JumpingOptions): readonly ParametricLayer[] {
  return layers.map((layer, index) => jumpingLayer(layer, { ...options, index, isLast: index === layers.length - 1 }));
}

function jumpingLayer(
  layer: ParametricLayer,
  { index, isLast, inDim, outDim, seed }: JumpingOptions & { readonly index: number; readonly isLast: boolean },
): ParametricLayer {
  const width = layer.outDim;
  const first = index === 0 ? glorotUniform("jump.0", inDim, outDim, seed) : null;
  const own = glorotUniform(`jump.${index + 1}`, width, outDim, seed);
  const bias = isLast ? zeros("jump.bias", outDim) : null;
  const variables = [...(first ? [first] : []), own, ...(bias ? [bias] : [])];
  const rowsOf = (x: LayerInput) => (first ? x : columnRange(x as Tensor2D, 0, width));
  const added = (block: Block, x: LayerInput, h: Tensor2D) => {
    const dst = firstRows("jumping", x, block.numDst);
    const before = first ? project(dst, first.variable) : columnRange(dst as Tensor2D, width, width + outDim);
    const sum = addActivate(before, project(h, own.variable), "none");
    return bias ? biasActivate(sum, bias.variable, "none") : joinColumns(h, sum);
  };
  const cut = layer.batchNorm;
  return {
    outDim: isLast ? outDim : width + outDim,
    variables: [...layer.variables, ...variables],
    ...(layer.buffers && { buffers: layer.buffers }),
    forward: (block, x, context) => tidy(() => added(block, x, layer.forward(block, rowsOf(x), context))),
    ...(cut && {
      batchNorm: {
        ...cut,
        before: (block, x, context) => tidy(() => cut.before(block, rowsOf(x), context)),
        after: (block, x, z, statistics, context) =>
          tidy(() => added(block, x, cut.after(block, rowsOf(x), z, statistics, context))),
      },
    }),
    dispose: () => {
      layer.dispose();
      for (const { variable } of variables) variable.dispose();
    },
  };
}
