/** Forward, loss, backward, step: what both loops repeat. */
import {
  type Adam,
  argMax,
  type Block,
  crossEntropySum,
  type ForwardContext,
  type GnnModel,
  type LayerInput,
  nn,
  type ShapedGraph,
} from "@hopwise/gnn-core";

const { tf } = nn;

/**
 * One update of the weights. blocks[i] is what layer i sees; a label of −1 counts nothing.
 *
 * @returns mean cross-entropy over the labelled rows
 */
export function step(
  { model, optimizer }: { readonly model: GnnModel; readonly optimizer: Adam },
  {
    blocks,
    features,
    labels,
  }: { readonly blocks: readonly Block[]; readonly features: LayerInput; readonly labels: Int32Array },
  context: ForwardContext,
): number {
  const numLabelled = labels.filter((label) => label >= 0).length;
  return tf.tidy(() => {
    const { value, grads } = tf.variableGrads(() => {
      const logits = forward(model, blocks, features, context);
      return tf.div(crossEntropySum(logits, labels, null), numLabelled);
    });
    const gradientOf = (i: number) => grads[model.variables[i]?.variable.name ?? ""]?.dataSync<"float32">();
    optimizer.step({ slot: (i) => gradientOf(i) ?? new Float32Array(0) });
    return value.dataSync<"float32">()[0] ?? Number.NaN;
  });
}

function forward(model: GnnModel, blocks: readonly Block[], features: LayerInput, context: ForwardContext) {
  let x = features;
  for (const [i, layer] of model.layers.entries()) x = layer.forward(blocks[i] as Block, x, context);
  return x as Exclude<LayerInput, { kind: string }>;
}

/** Share of right predictions among the nodes of a split, on the whole graph and without dropout. */
export function accuracy(
  model: GnnModel,
  whole: { readonly blocks: readonly Block[]; readonly features: LayerInput },
  { labels, split, numClasses }: ShapedGraph,
  code: number,
): number {
  const context = { training: false, seed: 0, epoch: 0, step: 0 };
  const logits = tf.tidy(() => forward(model, whole.blocks, whole.features, context).dataSync<"float32">());
  const nodes = [...split.keys()].filter((node) => split[node] === code);
  return nodes.filter((node) => argMax(logits, node, numClasses) === labels[node]).length / nodes.length;
}
