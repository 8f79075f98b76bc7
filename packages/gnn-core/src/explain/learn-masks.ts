import { tensorFloats } from "../backends/tensor-floats.ts";
import {
  add,
  mean,
  mul,
  type Rank,
  reshape,
  type Scalar,
  sigmoid,
  sub,
  sum,
  type Tensor2D,
  tidy,
  variableGrads,
} from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { GnnModel } from "../nn/model.ts";
import { glorotUniform, type NamedVariable } from "../nn/variables.ts";
import { crossEntropySum } from "../ops/cross-entropy.ts";
import { softplus } from "../ops/softplus.ts";
import { Adam } from "../optim/adam.ts";
import type { ComputationGraph } from "./computation-graph.ts";
import type { ExplainOptions } from "./explain-options.ts";
import { maskedOutput } from "./masked-output.ts";

/** How much of each is kept, from 0 to 1. */
export interface LearnedMasks {
  /** float32 [numEdges of the first block] */
  readonly edges: Float32Array;
  /** float32 [inDim] */
  readonly features: Float32Array;
}

/** Before the sigmoid */
interface MaskVariables {
  /** float32 [numEdges, 1]; null: there is no edge */
  readonly edges: NamedVariable | null;
  /** float32 [inDim, 1] */
  readonly features: NamedVariable;
}

/** Starts lie in U(−0.1, 0.1), so that what is learned outweighs them: √(6 / (fanIn + 1)) is 0.1. */
const fanIn = 599;

/**
 * Minimises, over M of the edges and F of the features,
 *   −log p(target | edges · σ(M), features · σ(F)) + a·Σσ(M) + b·mean H(σ(M)) + c·mean σ(F) + d·mean H(σ(F))
 * with H(p) = −p·log p − (1 − p)·log(1 − p). Ying et al. 2019 (arXiv:1903.03894), section 4; what the prices of edges
 * are, and why: decision 0114.
 *
 * @throws GnnError CANCELLED between two steps
 */
export async function learnMasks(
  model: GnnModel,
  computed: ComputationGraph,
  target: number,
  { options, signal }: { readonly options: Required<ExplainOptions>; readonly signal: AbortSignal | undefined },
): Promise<LearnedMasks> {
  const masks = startMasks(computed, options.seed);
  const variables = masks.edges ? [masks.edges, masks.features] : [masks.features];
  const optimizer = new Adam(variables, { lr: options.lr });
  try {
    for (let step = 0; step < options.steps; step++) {
      // A turn of the event loop, in which the signal may come.
      await new Promise(setImmediate);
      if (signal?.aborted) throw new GnnError("CANCELLED", "The explanation was cancelled between two steps.");
      const gradients = gradientsOf(variables, () => lossOf(model, computed, target, { masks, options }));
      optimizer.step({ slot: (index) => gradients[index] as Float32Array });
    }
    return { edges: keptOf(masks.edges), features: keptOf(masks.features) };
  } finally {
    optimizer.dispose();
    for (const { variable } of variables) variable.dispose();
  }
}

function startMasks({ blocks, x }: ComputationGraph, seed: number): MaskVariables {
  const numEdges = blocks[0]?.indices.length ?? 0;
  return {
    edges: numEdges === 0 ? null : glorotUniform("explain.edges", numEdges, 1, seed, fanIn),
    features: glorotUniform("explain.features", x.shape[1], 1, seed, fanIn),
  };
}

function lossOf(
  model: GnnModel,
  computed: ComputationGraph,
  target: number,
  { masks, options }: { readonly masks: MaskVariables; readonly options: Required<ExplainOptions> },
): Scalar {
  const edges = masks.edges && (masks.edges.variable as unknown as Tensor2D);
  const features = masks.features.variable as unknown as Tensor2D;
  const kept = { edges: edges && sigmoid<Tensor2D>(edges), features: sigmoid<Tensor2D>(features) };
  const applied = { edges: kept.edges, features: reshape<Rank.R2>(kept.features, [1, kept.features.size]) };
  const missed = crossEntropySum(maskedOutput(model, computed, applied), Int32Array.of(target), null);
  const ofFeatures = add<Scalar>(
    mul<Scalar>(mean<Scalar>(kept.features), options.featureSize),
    mul<Scalar>(entropy(features, kept.features), options.featureEntropy),
  );
  const withFeatures = add<Scalar>(missed, ofFeatures);
  if (!edges || !kept.edges) return withFeatures;
  const ofEdges = add<Scalar>(
    mul<Scalar>(sum<Scalar>(kept.edges), options.edgeSize),
    mul<Scalar>(entropy(edges, kept.edges), options.edgeEntropy),
  );
  return add<Scalar>(withFeatures, ofEdges);
}

/** Mean of H(p), p = σ(m): log p is −softplus(−m), finite however sure a mask is. */
function entropy(m: Tensor2D, p: Tensor2D): Scalar {
  const ofKept = mul<Tensor2D>(p, softplus(mul<Tensor2D>(m, -1)));
  return mean<Scalar>(add<Tensor2D>(ofKept, mul<Tensor2D>(sub<Tensor2D>(1, p), softplus(m))));
}

function gradientsOf(variables: readonly NamedVariable[], loss: () => Scalar): readonly Float32Array[] {
  const all: Float32Array[] = [];
  tidy(() => {
    const { grads } = variableGrads(
      loss,
      variables.map(({ variable }) => variable),
    );
    for (const { variable } of variables) all.push(tensorFloats(grads[variable.name] as Tensor2D).slice());
  });
  return all;
}

function keptOf(mask: NamedVariable | null): Float32Array {
  if (!mask) return new Float32Array();
  return tidy(() => tensorFloats(sigmoid<Tensor2D>(mask.variable as unknown as Tensor2D)).slice());
}
