import { type Tensor2D, tidy, variableGrads } from "../../src/backends/tf.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { nn } from "../../src/nn/index.ts";
import type { LayerInput } from "../../src/nn/model.ts";
import type { NamedVariable } from "../../src/nn/variables.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import type { Optimizer } from "../../src/optim/optimizer.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { ascendingTypes, randomBlock, randomCsr } from "./random-block.ts";

const shape = { inDim: 9, outDim: 3, seed: 7, numRelations: 3, numNodeTypes: 2 };
/** By the ids of the blocks below */
const graph = { nodeTypes: Int32Array.from({ length: 2000 }, (_, node) => node % 2), typedInput: null };
const features: FeatureRows = randomCsr(16, shape.inDim, 0.5, 3);
const labels = Int32Array.from({ length: 6 }, (_, i) => i % 3);
const registry = await loadRegistry();

const variants: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  sage: [
    {},
    { aggregator: "concat", l2Normalize: true },
    { aggregator: "gcn", norm: "layer" },
    { aggregator: "pool", norm: "batch", residual: true },
  ],
  gin: [{ residual: true }, { learnEpsilon: false, activation: "elu" }, { jumpingKnowledge: true, norm: "batch" }],
  gat: [
    { merge: "mean", residual: true, hiddenFeats: 8 },
    { projectionDropout: 0.3, hiddenFeats: 8 },
  ],
  gcn: [{ norm: "batch" }],
  rgcn: [{ numBases: 2 }, { decomposition: "blocks", numBases: 3, norm: "batch" }],
  rsage: [{ norm: "layer" }],
  rgat: [
    { heads: 2, outHeads: 3 },
    { heads: 3, softmax: "acrossRelations", norm: "layer", residual: true },
  ],
  simpleHgn: [
    { heads: 2, outHeads: 3, relationDim: 4 },
    { heads: 3, norm: "layer", residual: true },
    { heads: 2, normalizeOutput: true },
  ],
  hgt: [{ heads: 2 }, { heads: 3, residual: true, activation: "relu" }],
  appnp: [{ numHops: 3 }],
};
/** Every model with weights, in its variants. */
export const modelVariants = registry
  .list("model")
  .filter(({ readsFeatures }) => readsFeatures !== false)
  .flatMap(({ name }) => (variants[name] ?? [{}]).map((options) => ({ name, options })));

/** Degrees as if some in-edges had not been drawn, and blocks whose src rows are the dst rows of the one before. */
function nestedBlocks(numHops: number): Block[] {
  return Array.from({ length: numHops }, (_, hop) => {
    const sizes = [hop, hop + 1].map((i) => Math.round(16 + ((6 - 16) * i) / numHops)) as [number, number];
    const block = randomBlock(...sizes, 4, hop);
    const types = ascendingTypes(block, shape.numRelations);
    return { ...block, types, srcDegrees: new Float32Array(sizes[0]).fill(5) };
  });
}

/** The loss of each step of a training on the same batch by the active backend, and the gradients of the first. */
export function trainOnBatch(
  { name, options }: (typeof modelVariants)[number],
  numSteps: number,
  optimizerOf: (variables: readonly NamedVariable[]) => Optimizer,
): { losses: number[]; first: Float32Array[] } {
  const component = registry.get("model", name);
  const { shape: asked } = component.options;
  const small = { ...("hiddenFeats" in asked && { hiddenFeats: 6 }), ...("dropout" in asked && { dropout: 0.2 }) };
  const chosen = component.options.parse({ ...small, ...options });
  const model = component.create(chosen, shape, nn, graph);
  const blocks = nestedBlocks(component.numHops(chosen));
  const alone = { ...randomBlock(16, 6, 0, 1) };
  const optimizer = optimizerOf(model.variables);
  const losses: number[] = [];
  let first: Float32Array[] = [];
  for (let step = 0; step < numSteps; step++) {
    tidy(() => {
      // One mask for all steps: the loss of the same function must fall.
      const context = { training: true, seed: 1, epoch: 0, step: 0 };
      const { value, grads } = variableGrads(
        () => {
          let x: LayerInput = features;
          if (model.forward) x = model.forward(blocks, x, context);
          else for (const [i, layer] of model.layers.entries()) x = layer.forward(blocks[i] ?? alone, x, context);
          return crossEntropySum(x as Tensor2D, labels, null);
        },
        model.variables.map(({ variable }) => variable),
      );
      losses.push(value.dataSync<"float32">()[0]!);
      const slots = model.variables.map(
        ({ variable }) => grads[variable.name]?.dataSync<"float32">().slice() ?? new Float32Array(variable.size),
      );
      if (step === 0) first = slots;
      optimizer.step({ slot: (i) => slots[i]! });
    });
  }
  model.dispose();
  return { losses, first };
}
