import { tensorFloats } from "../backends/tensor-floats.ts";
import { type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import type { GnnModel } from "../nn/model.ts";
import { dstOfEdges } from "../ops/block-attrs.ts";
import { type ComputationGraph, computationGraph, type ExplainedModel } from "./computation-graph.ts";
import { type ExplainOptions, explainOptions } from "./explain-options.ts";
import { type LearnedMasks, learnMasks } from "./learn-masks.ts";
import { assertLayersMask, type Masks, maskedOutput } from "./masked-output.ts";

/** Ends are GlobalIds. */
export interface ExplainedEdge {
  readonly src: number;
  readonly dst: number;
  readonly weight: number;
  /** Index into the graph's relations, where it has several */
  readonly relation?: number;
}

/** Why a model gives a node its class. */
export interface NodeExplanation {
  /** GlobalId */
  readonly node: number;
  /** The class that is explained, and its probability with everything kept */
  readonly target: number;
  readonly probability: number;
  /** Every edge that the prediction is computed from, the most important first; src and dst are GlobalIds */
  readonly edges: readonly ExplainedEdge[];
  /** Every column of the features, the most important first */
  readonly features: readonly { readonly feature: number; readonly weight: number }[];
  /** Probability lost when the `topEdges` and the `topFeatures` are removed: near `probability` is good */
  readonly fidelityPlus: number;
  /** Probability lost when these alone are kept: near 0 is good */
  readonly fidelityMinus: number;
}

/**
 * GNNExplainer: which edges and which features decide what a trained model says of one node. Learns a number from 0 to
 * 1 for each edge of the node's computation graph, by which its messages are multiplied, and one for each feature: as
 * few as possible, with the class as probable as possible. Weights of the model are not changed.
 * Ying et al. 2019 (arXiv:1903.03894). Everything depends on the seed alone: the same bits each time.
 *
 *   const { edges, features } = await explainNode({ ...trainer.data, model: trainer.model }, 7);
 *
 * @param node  GlobalId
 * @throws GnnError NODE_UNKNOWN; SPEC_INVALID for an option, a neighbourhood of more than `maxEdges` edges, a model
 * with fewer than two outputs, or one with a layer that cannot mask its messages; CANCELLED
 */
export async function explainNode(
  explained: ExplainedModel,
  node: number,
  { signal, ...given }: ExplainOptions & { readonly signal?: AbortSignal } = {},
): Promise<NodeExplanation> {
  const { model } = explained;
  const computed = await computationGraph(explained, node, explainOptions(given).maxEdges);
  return explainComputed(model, computed, node, { ...given, ...(signal && { signal }) });
}

/**
 * `explainNode` of a node whose computation graph is made already, and disposed of here.
 *
 * @throws GnnError what `explainNode` throws
 */
export async function explainComputed(
  model: GnnModel,
  computed: ComputationGraph,
  node: number,
  { signal, ...given }: ExplainOptions & { readonly signal?: AbortSignal },
): Promise<NodeExplanation> {
  try {
    const options = explainOptions(given);
    assertLayersMask(model, computed);
    const before = probabilities(model, computed, { edges: null, features: null });
    const target = targetOf(before, options.target);
    const masks = await learnMasks(model, computed, target, { options, signal });
    const probability = before[target] as number;
    return {
      node,
      target,
      probability,
      ...ranked(computed, masks),
      ...fidelities(model, computed, { masks, options, target, probability }),
    };
  } finally {
    computed.x.dispose();
  }
}

function targetOf(all: readonly number[], asked: number | null): number {
  if (all.length < 2) {
    throw new GnnError("SPEC_INVALID", `The model has ${all.length} output; explained are classes, 2 or more.`);
  }
  if (asked === null) return all.indexOf(Math.max(...all));
  if (asked < all.length) return asked;
  throw new GnnError("SPEC_INVALID", `There is no class ${asked} to explain; the model tells 0 to ${all.length - 1}.`);
}

function probabilities(model: GnnModel, computed: ComputationGraph, masks: Masks): readonly number[] {
  const logits = tidy(() => Array.from(tensorFloats(maskedOutput(model, computed, masks))));
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function ranked({ blocks }: ComputationGraph, masks: LearnedMasks): Pick<NodeExplanation, "edges" | "features"> {
  return {
    edges: masks.edges.length === 0 ? [] : edgesOf(blocks[0] as Block, masks.edges),
    features: heaviest(masks.features).map((feature) => ({ feature, weight: masks.features[feature] as number })),
  };
}

function edgesOf(block: Block, weights: Float32Array): NodeExplanation["edges"] {
  const dst = dstOfEdges(block);
  const idOf = (row: number | undefined) => block.srcIds[row as number] as number;
  return heaviest(weights).map((e) => ({
    src: idOf(block.indices[e]),
    dst: idOf(dst[e]),
    weight: weights[e] as number,
    ...(block.types && { relation: block.types[e] as number }),
  }));
}

/** Positions by falling weight; equal weights keep their order. */
function heaviest(weights: Float32Array): readonly number[] {
  return Array.from(weights.keys()).toSorted((a, b) => (weights[b] as number) - (weights[a] as number) || a - b);
}

interface Judged {
  readonly masks: LearnedMasks;
  readonly options: Required<ExplainOptions>;
  readonly target: number;
  readonly probability: number;
}

/** By whole edges and features: what a mask keeps in part cannot be removed. */
function fidelities(
  model: GnnModel,
  computed: ComputationGraph,
  { masks, options, target, probability }: Judged,
): Pick<NodeExplanation, "fidelityPlus" | "fidelityMinus"> {
  const edges = chosen(masks.edges, options.topEdges);
  const features = chosen(masks.features, options.topFeatures);
  const lost = (isKept: (isChosen: number) => number) =>
    tidy(() => {
      const kept: Masks = {
        edges: edges.length === 0 ? null : column(edges.map(isKept)),
        features: tensor2d(features.map(isKept), [1, features.length]),
      };
      return probability - (probabilities(model, computed, kept)[target] as number);
    });
  return { fidelityPlus: lost((isChosen) => 1 - isChosen), fidelityMinus: lost((isChosen) => isChosen) };
}

/** 1 at the heaviest, 0 elsewhere */
function chosen(weights: Float32Array, howMany: number): Float32Array {
  const marks = new Float32Array(weights.length);
  for (const position of heaviest(weights).slice(0, howMany)) marks[position] = 1;
  return marks;
}

function column(values: Float32Array): Tensor2D {
  return tensor2d(values, [values.length, 1]);
}
