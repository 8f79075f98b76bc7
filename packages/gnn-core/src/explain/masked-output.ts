import { mul, ones, type Tensor2D, tidy, type Variable, variable, variableGrads } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { ForwardContext, GnnModel, LayerInput } from "../nn/model.ts";
import { crossEntropySum } from "../ops/cross-entropy.ts";
import { rowRange } from "../ops/row-range.ts";
import type { ComputationGraph } from "./computation-graph.ts";

/** What is multiplied by numbers from 0 to 1; null: it is left as it is. */
export interface Masks {
  /** float32 [numEdges of the first block, 1]: one for each edge, whatever hops it takes part in */
  readonly edges: Tensor2D | null;
  /** float32 [1, inDim]: one for each feature, of all nodes alike */
  readonly features: Tensor2D | null;
}

const context: ForwardContext = { training: false, seed: 0, epoch: 0, step: 0 };

/** Logits of the node, float32 [1, classes], from masked edges and features. */
export function maskedOutput(
  model: GnnModel,
  { blocks, x, prepare }: ComputationGraph,
  { edges, features }: Masks,
): Tensor2D {
  return tidy(() => {
    prepare?.();
    const masked = edges ? blocks.map((block) => withFactors(block, rowRange(edges, 0, block.indices.length))) : blocks;
    return outputOf(model, masked, features ? mul<Tensor2D>(x, features) : x);
  });
}

/**
 * Whether every layer that has edges multiplies its messages: a layer that does not would have all its edges explained
 * as if they did not matter.
 *
 * @throws GnnError SPEC_INVALID naming the first layer that does not
 */
export function assertLayersMask(model: GnnModel, { blocks, x, prepare }: ComputationGraph): void {
  const withEdges = blocks.flatMap((block, layer) => (block.indices.length > 0 ? [layer] : []));
  const factors = new Map(withEdges.map((layer) => [layer, onesOf((blocks[layer] as Block).indices.length)]));
  // The rows' own gradient is asked for only so that there is one.
  const rows = variable(x);
  prepare?.();
  try {
    const unread = tidy(() => {
      const { grads } = variableGrads(() => {
        const masked = blocks.map((block, layer) =>
          withFactors(block, (factors.get(layer) ?? null) as Tensor2D | null),
        );
        return crossEntropySum(outputOf(model, masked, rows), Int32Array.of(0), null);
      }, [rows, ...factors.values()]);
      return withEdges.find((layer) => !grads[(factors.get(layer) as Variable).name]);
    });
    if (unread !== undefined) throw cannotMask(unread);
  } finally {
    for (const made of [rows, ...factors.values()]) made.dispose();
  }
}

function outputOf(model: GnnModel, blocks: readonly Block[], x: Tensor2D): Tensor2D {
  if (model.forward) return model.forward(blocks, x, context);
  const rows = model.layers.reduce<LayerInput>((h, layer, i) => layer.forward(blocks[i] as Block, h, context), x);
  return rows as Tensor2D;
}

function withFactors(block: Block, messageFactors: Tensor2D | null): Block {
  return messageFactors && block.indices.length > 0 ? { ...block, messageFactors } : block;
}

function onesOf(numEdges: number): Variable {
  return tidy(() => variable(ones([numEdges, 1])));
}

function cannotMask(layer: number): GnnError {
  return new GnnError(
    "SPEC_INVALID",
    `Layer ${layer} does not multiply its messages by Block.messageFactors, so its edges cannot be explained. ` +
      "Every model does, of one kind of edges or of several, except sage with the aggregator pool.",
  );
}
