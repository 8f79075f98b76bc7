import { type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph, CscPart } from "../graph/csc-graph.ts";
import { edgelessBlock } from "../graph/edgeless-block.ts";
import type { GnnModel } from "../nn/model.ts";
import { featuresToTensor } from "../ops/features-to-tensor.ts";
import { createBlockSampler } from "../sampling/block-sampler.ts";
import { withDegrees } from "../sampling/with-degrees.ts";

/** What a prediction is computed from. */
export interface ExplainedModel {
  /** Its outputs are logits of classes; `trainer.model` */
  readonly model: GnnModel;
  /** All of it in this process; `trainer.data.graph` */
  readonly graph: CscGraph;
  /** As the model sees them; `trainer.data.features` */
  readonly features: FeatureStore;
}

/** All that one node's output is computed from. */
export interface ComputationGraph {
  /** One for each layer, the last ends in the node. The edges of each are the first edges of the one before. */
  readonly blocks: readonly Block[];
  /** float32 [numSrc of the first block, inDim]; the caller disposes it */
  readonly x: Tensor2D;
  /** Called before each pass: sets what the model reads beside, which others may have changed meanwhile. */
  readonly prepare?: () => void;
}

/** Numbers that the features of a computation graph may have */
export const maxFeatureNumbers = 2 ** 27;

/**
 * The whole in-neighbourhood of a node, as many hops as the model has layers, and its features.
 *
 * @throws GnnError NODE_UNKNOWN; SPEC_INVALID where it has more than `maxEdges` edges or 2^27 numbers of features, or
 * other ranks hold some of them
 */
export async function computationGraph(
  { model, graph, features }: ExplainedModel,
  node: number,
  maxEdges: number,
): Promise<ComputationGraph> {
  if (!Number.isInteger(node) || node < 0 || node >= graph.numNodes) {
    throw new GnnError("NODE_UNKNOWN", `There is no node ${node}; GlobalIds are 0 to ${graph.numNodes - 1}.`);
  }
  if (graph.remote) {
    throw new GnnError("SPEC_INVALID", "Other ranks hold parts of this graph; load all parts here to explain a node.");
  }
  const blocks = model.usesNeighbors
    ? await wholeBlocks(model, graph, node, maxEdges)
    : model.layers.map(() => edgelessBlock(Int32Array.of(node)));
  const srcIds = blocks[0]?.srcIds ?? Int32Array.of(node);
  if (srcIds.length * features.dim > maxFeatureNumbers) {
    const found = `${srcIds.length} nodes with ${features.dim} features each`;
    throw new GnnError(
      "SPEC_INVALID",
      `Node ${node} is predicted from ${found}; expected at most ${maxFeatureNumbers} numbers.`,
    );
  }
  const rows = features.gather(srcIds);
  return { blocks, x: tidy(() => featuresToTensor(rows)) };
}

async function wholeBlocks(
  { layers, usesDegrees }: GnnModel,
  graph: CscGraph,
  node: number,
  maxEdges: number,
): Promise<readonly Block[]> {
  assertFewEdges(graph, node, { numHops: layers.length, maxEdges });
  const all = createBlockSampler({ graph, fanouts: layers.map(() => -1), replace: false, seed: 0 });
  const sampler = usesDegrees ? withDegrees(all, graph) : all;
  return sampler.sample(Int32Array.of(node), { epoch: 0, step: 0 });
}

interface Limit {
  readonly numHops: number;
  readonly maxEdges: number;
}

/** Counts hop by hop and stops at the limit, so that the neighbourhood of a hub is never built. */
function assertFewEdges(graph: CscGraph, node: number, { numHops, maxEdges }: Limit): void {
  const seen = new Set([node]);
  let frontier = [node];
  let numEdges = 0;
  for (let hop = 1; hop <= numHops; hop++) {
    const next: number[] = [];
    for (const dst of frontier) {
      const { part, begin, end } = columnOf(graph, dst);
      numEdges += end - begin;
      if (numEdges > maxEdges) throw tooManyEdges(node, hop, maxEdges);
      for (const src of part.indices.subarray(begin, end)) {
        if (seen.has(src)) continue;
        seen.add(src);
        next.push(src);
      }
    }
    frontier = next;
  }
}

function columnOf(graph: CscGraph, node: number): { readonly part: CscPart; begin: number; end: number } {
  const part = graph.parts.find(({ firstNode, numNodes }) => node >= firstNode && node < firstNode + numNodes);
  if (!part) throw new GnnError("NODE_UNKNOWN", `No part of the graph holds the in-edges of node ${node}.`);
  const column = node - part.firstNode;
  return { part, begin: Number(part.indptr[column]), end: Number(part.indptr[column + 1]) };
}

function tooManyEdges(node: number, hop: number, maxEdges: number): GnnError {
  const found = `Node ${node} is reached by more than ${maxEdges} edges within ${hop} ${hop === 1 ? "hop" : "hops"}`;
  return new GnnError("SPEC_INVALID", `${found}; raise maxEdges, or explain a node with a smaller neighbourhood.`);
}
