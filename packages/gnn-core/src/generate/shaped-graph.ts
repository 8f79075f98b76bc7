import { loadAddon } from "../backends/native/addon.ts";
import type { BlockModelHandle } from "../backends/native/generate-addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { collectGraph } from "./collect-graph.ts";
import { featureSlices } from "./feature-slices.ts";
import { type GenerationOptions, onThreads, progressOf } from "./generation-options.ts";
import type { GraphShape } from "./graph-shape.ts";

/** A graph with everything that node classification reads. */
export interface ShapedGraph {
  readonly graph: CscGraph;
  readonly featureDim: number;
  /** float32 [numNodes, featureDim] */
  readonly features: Float32Array;
  /** int32 [numNodes], −1 for nodes of no split */
  readonly labels: Int32Array;
  /** int8 [numNodes], one of `splitCode` */
  readonly split: Int8Array;
  readonly numClasses: number;
}

/**
 * A degree-corrected stochastic block model (Karrer and Newman 2011, arXiv:1008.3926) with features that tell the
 * class vaguely. Classes of unequal size, blocks inside them, log-normal propensities, a homophily of every node's
 * own; an edge that leaves its class goes mostly to a few related ones. Ids carry no locality. The same shape and
 * seed give the same arrays, on any number of threads; another C library may differ in last bits of the features.
 *
 * @throws GnnError SPEC_INVALID for a shape without nodes or classes, CANCELLED
 */
export async function shapedGraph(shape: GraphShape, seed = 0, options: GenerationOptions = {}): Promise<ShapedGraph> {
  return onThreads(options.threads, async () => {
    const progress = progressOf(options);
    const { numNodes, numPairs, featureDim } = shape;
    const model = await blockModel(shape, seed);
    const graph = await collectGraph({ source: model, numNodes, numPairs, seed }, progress);
    const split = await native(() => loadAddon().generatedSplit(model));
    const labels = await native(() => loadAddon().generatedLabels(model, 0, numNodes, split));
    const features = new Float32Array(numNodes * featureDim);
    for await (const { firstNode, values } of featureSlices(model, shape, progress)) {
      features.set(values, firstNode * featureDim);
    }
    return { graph, featureDim, features, labels, split, numClasses: shape.classPrior.length };
  });
}

export function blockModel(shape: GraphShape, seed: number): Promise<BlockModelHandle> {
  return native(() => loadAddon().createBlockModel({ testShare: 1, ...shape }, seed));
}
