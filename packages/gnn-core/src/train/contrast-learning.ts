import type { ContrastHead, ContrastObjective } from "../contrast/contrast-objective.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type BatchSums, ratio } from "../tasks/batch-sums.ts";
import type { Metrics } from "../tasks/node-task.ts";
import { refuseBesideAllNodes } from "./all-nodes-setup.ts";
import { trainContrastEpoch } from "./contrast-epoch.ts";
import { evaluateContrast } from "./evaluate-contrast.ts";
import type { Learning } from "./learning.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/** What there is to learn of a graph without labels, and from which nodes. */
export interface ContrastLearning {
  readonly objective: ContrastObjective;
  readonly head: ContrastHead;
  /** All GlobalIds, ascending */
  readonly nodes: Int32Array;
}

/** Every node is learnt from; labels, where there are some, are only asked by a linear probe at the end. */
export function contrastLearning(name: string, learnt: ContrastLearning): Learning {
  return {
    name,
    seeds: "nodes",
    outDim: learnt.objective.dim,
    scaling: null,
    numTrain: learnt.nodes.length,
    trainNodes: learnt.nodes,
    hasValidation: true,
    trainMetrics: ({ lossSum, weightSum }: BatchSums): Metrics => ({ loss: ratio(lossSum, weightSum) }),
    trainEpoch: (parts, epoch, firstStep) => trainContrastEpoch(parts, learnt, epoch, firstStep),
    evaluate: (run, splits, { withRanking }) => evaluateContrast(run, learnt, splits, withRanking),
  };
}

/** @throws GnnError SPEC_INVALID with the pointer of what does not go with views */
export function refuseBesideViews(setup: ResolvedSetup): void {
  refuseBesideAllNodes(setup, "views are compared where every host has the whole graph");
  if (!setup.options.features.embedding) return;
  const pointer = "/features/embedding";
  const message = `${pointer}: rows of nodes cannot be learned beside views; have columns made from the edges.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
