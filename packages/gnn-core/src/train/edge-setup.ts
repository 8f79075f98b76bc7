import { createHash } from "node:crypto";
import { type EdgeHead, makeEdgeHead } from "../edges/edge-head.ts";
import type { LearntEdges } from "../edges/edge-loss.ts";
import { type EdgeHeadChoice, type EdgeLearning, edgeTask, type LabelledEdges } from "../edges/edge-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { checkPairs } from "../links/node-pairs.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/**
 * The task on the edges, and what follows the encoder.
 *
 * @throws GnnError SPEC_INVALID with the pointer of what does not go with edges; TRAIN_NO_LABELS
 */
export function headOfEdges(learning: EdgeLearning, seed: number): LearntEdges {
  const { edges } = learning;
  const task = edgeTask(learning);
  return { task, head: edgeHeadFor(edges, learning, { outDim: task.outDim, seed }), edges };
}

/** @throws GnnError SPEC_INVALID with the pointer of what cannot be */
export function edgeHeadFor(
  edges: LabelledEdges,
  { dim, hiddenFeats = dim, dropout = 0 }: EdgeHeadChoice,
  { outDim, seed }: { readonly outDim: number; readonly seed: number },
): EdgeHead {
  const { featureDim, directed } = edges;
  const found = edges.features?.length ?? 0;
  const expected = edges.src.length * featureDim;
  if (found !== expected) {
    throw refused("/edges/features", `there are ${found} numbers; expected ${featureDim} for each edge, ${expected}`);
  }
  if (!(dropout >= 0 && dropout < 1)) {
    throw refused("/edges/dropout", `it is ${dropout}; expected at least 0 and less than 1`);
  }
  return makeEdgeHead({ dim, featureDim, outDim, directed, seed, hiddenFeats, dropout });
}

/** @throws GnnError SPEC_INVALID with the pointer of what does not go with edges; DATASET_NODE_UNKNOWN */
export function refuseBesideEdges({ data, options, registry, start }: ResolvedSetup, { edges }: EdgeLearning) {
  checkPairs(edges, data.graph.numNodes, "The labelled edges");
  if (start) throw refused("/start", "a training on edges begins with new weights; leave it out");
  if (options.task.inductive) throw refused("/task/inductive", "edges are split, and all nodes are seen; leave it out");
  const { type } = options.sampling;
  const component = registry.get("sampler", type);
  if (component.createPass || component.plansEpochs) {
    throw refused("/sampling/type", `${type} keeps sums or plans batches of nodes; choose neighbor, labor or full`);
  }
  if (options.train.evaluate.mode === "sampled") {
    throw refused("/train/evaluate/mode", "edges are judged exactly, which sampled is not; choose layerwise");
  }
}

/** Names what is learnt, so that a checkpoint of other edges, or for another head, is refused. */
export function edgeDigest({ edges, split, goal, dim, hiddenFeats, dropout }: EdgeLearning): string {
  const { src, dst, features, featureDim, directed } = edges;
  const hash = createHash("sha256")
    .update(JSON.stringify([goal.type, dim, hiddenFeats, dropout, featureDim, directed]))
    .update(src)
    .update(dst)
    .update(split)
    .update(goal.type === "classification" ? goal.labels : goal.targets.values);
  return (features ? hash.update(features) : hash).digest("hex");
}

function refused(pointer: string, found: string): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
