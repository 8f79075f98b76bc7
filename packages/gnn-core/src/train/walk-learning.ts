import type { WalkTaskComponent } from "../components/define-task.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { int64At, int64Words } from "../io/int64.ts";
import { type BatchSums, ratio } from "../tasks/batch-sums.ts";
import type { Metrics } from "../tasks/node-task.ts";
import { noiseSums } from "../walks/walk-noise.ts";
import type { WalkPairOptions } from "../walks/walk-pairs.ts";
import { refuseBesideAllNodes } from "./all-nodes-setup.ts";
import { evaluateWalks } from "./evaluate-walks.ts";
import type { Learning } from "./learning.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";
import { trainWalkEpoch } from "./walk-epoch.ts";

/** What there is to learn of a graph by walking along its edges. */
export interface WalkLearning {
  /** Width of the rows that are learnt */
  readonly dim: number;
  readonly options: WalkPairOptions;
  /** GlobalIds of the nodes that a walk can leave, ascending */
  readonly starts: Int32Array;
}

/** Labels, where there are some, are only asked by a linear probe at the end. */
export function walkLearning(name: string, learnt: WalkLearning): Learning {
  return {
    name,
    seeds: "nodes",
    outDim: learnt.dim,
    scaling: null,
    numTrain: learnt.starts.length,
    trainNodes: learnt.starts,
    hasValidation: true,
    trainMetrics: ({ lossSum, weightSum }: BatchSums): Metrics => ({ loss: ratio(lossSum, weightSum) }),
    trainEpoch: (parts, epoch, firstStep) => trainWalkEpoch(parts, learnt, epoch, firstStep),
    evaluate: (run, splits, { withRanking }) => evaluateWalks(run, learnt, splits, withRanking),
  };
}

/**
 * The walks of a task that learns from some, along the graph that messages go along.
 *
 * @throws GnnError SPEC_INVALID with the pointer of what does not go with walks; TRAIN_NO_LABELS without edges
 */
export function walksOf(setup: ResolvedSetup, component: WalkTaskComponent, graph: CscGraph): WalkLearning {
  refuseBesideAllNodes(setup, "walks go over the whole graph, which every host needs");
  const { dim, noise, ...options } = component.walks(setup.task.options);
  const starts = nodesWithEdges(graph);
  if (starts.length === 0) {
    throw new GnnError("TRAIN_NO_LABELS", "There is nothing to learn: the graph has no edges to walk along.");
  }
  return { dim, starts, options: { ...options, noise: noise === "degree" ? noiseSums(graph) : null } };
}

/** The nodes with an in-neighbour other than themselves, ascending */
function nodesWithEdges({ parts }: CscGraph): Int32Array {
  return Int32Array.from(
    parts.flatMap(({ firstNode, numNodes, indptr, indices }) => {
      const offsets = int64Words(indptr);
      const leaves = (node: number) => {
        for (let e = int64At(offsets, node); e < int64At(offsets, node + 1); e++) {
          if (indices[e] !== firstNode + node) return true;
        }
        return false;
      };
      return Array.from({ length: numNodes }, (_, node) => node)
        .filter(leaves)
        .map((node) => firstNode + node);
    }),
  );
}
