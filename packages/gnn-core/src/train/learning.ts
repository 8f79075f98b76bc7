import type { LearntEdges } from "../edges/edge-loss.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import { type LinkLearning, linkTrainMetrics } from "../links/link-task.ts";
import { trainingQueries } from "../links/training-queries.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { FittedTask } from "../tasks/make-task.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import { edgeStepSeeds, trainEdgeEpoch } from "./edge-epoch.ts";
import { evaluateEdges } from "./evaluate-edges.ts";
import { evaluateGraphs } from "./evaluate-graphs.ts";
import { evaluateLinks } from "./evaluate-links.ts";
import { type EvaluatedRun, type EvaluationMode, evaluateRun } from "./evaluate-run.ts";
import type { SplitEvaluation } from "./evaluator.ts";
import { type LearntGraphs, trainGraphEpoch } from "./graph-epoch.ts";
import { linkStepSeeds, readsAllNodes, type StepPlan, trainLinkEpoch } from "./link-epoch.ts";
import { type EpochResult, type StepsParts, trainEpoch } from "./train-epoch.ts";

/** What a trainer's model learns, whatever its seeds are: what an epoch is, and how the model is judged. */
export interface Learning extends Pick<NodeTask, "outDim" | "scaling" | "trainMetrics"> {
  /** For the log */
  readonly name: string;
  /** What batches are drawn of */
  readonly seeds: "nodes" | "links" | "graphs" | "edges";
  /** Seeds of an epoch over all ranks: nodes, links, graphs or edges */
  readonly numTrain: number;
  /** Where seeds are nodes: their GlobalIds, ascending; else none */
  readonly trainNodes: Int32Array;
  /** Whether steps take what the sampler draws around their seeds as it is; left out: they change it, or draw more */
  readonly takesBlocksAsDrawn?: boolean;
  /** Whether steps of so many seeds begin with all nodes, for which the sampler draws; left out: they never do */
  readonly readsAllNodes?: (parts: {
    readonly sampler: Sampler;
    readonly graph: CscGraph;
    batchSize: number;
  }) => boolean;
  readonly hasValidation: boolean;
  /** Where seeds are ends of pairs: those of one rank, step by step. Left out: `trainNodes` in the epoch's order */
  readonly stepSeeds?: (plan: StepPlan) => Iterable<Int32Array>;
  trainEpoch(parts: StepsParts, epoch: number, firstStep: number): Promise<EpochResult>;
  evaluate<Split extends "val" | "test">(
    run: Omit<EvaluatedRun, "task">,
    splits: readonly Split[],
    mode: EvaluationMode,
  ): Promise<Record<Split, SplitEvaluation>>;
}

export function nodeLearning(name: string, { task, trainNodes }: FittedTask, hasValidation: boolean): Learning {
  const { outDim, scaling } = task;
  return {
    name,
    seeds: "nodes",
    outDim,
    scaling,
    numTrain: trainNodes.length,
    trainNodes,
    takesBlocksAsDrawn: true,
    hasValidation,
    trainMetrics: (sums) => task.trainMetrics(sums),
    trainEpoch: (parts, epoch, firstStep) => trainEpoch({ ...parts, task, trainNodes }, epoch, firstStep),
    evaluate: (run, splits, mode) => evaluateRun({ ...run, task }, splits, mode),
  };
}

/** Links are judged in one way: exactly, by all fixed negatives. */
export function linkLearning(name: string, links: LinkLearning, decoder: LinkDecoder): Learning {
  const queries = links.kVsAll ? trainingQueries(links.split, links.recommends?.to) : null;
  const learnt = { links, decoder, queries };
  return {
    name,
    seeds: "links",
    outDim: links.dim,
    scaling: null,
    numTrain: (queries?.pairs ?? links.split.train).src.length,
    trainNodes: new Int32Array(),
    readsAllNodes: (parts) => readsAllNodes(links, parts),
    hasValidation: links.split.val.positives.src.length > 0,
    trainMetrics: linkTrainMetrics,
    stepSeeds: (plan) => linkStepSeeds(links, plan),
    trainEpoch: (parts, epoch, firstStep) => trainLinkEpoch(parts, learnt, epoch, firstStep),
    evaluate: (run, splits) => evaluateLinks(run, learnt, splits),
  };
}

/** Graphs are judged in one way: exactly, each from all of its nodes. */
export function graphLearning(name: string, learnt: LearntGraphs, dim: number): Learning {
  return {
    ...goalLearning(name, learnt.task, dim),
    seeds: "graphs",
    trainEpoch: (parts, epoch, firstStep) => trainGraphEpoch(parts, learnt, epoch, firstStep),
    evaluate: (run, splits, { withRanking }) => evaluateGraphs(run, learnt, splits, withRanking),
  };
}

/** Edges are judged in one way: exactly, by their ends' whole neighbourhoods. */
export function edgeLearning(name: string, learnt: LearntEdges, dim: number): Learning {
  return {
    ...goalLearning(name, learnt.task, dim),
    seeds: "edges",
    stepSeeds: (plan) => edgeStepSeeds(learnt, plan),
    trainEpoch: (parts, epoch, firstStep) => trainEdgeEpoch(parts, learnt, epoch, firstStep),
    evaluate: (run, splits, { withRanking }) => evaluateEdges(run, learnt, { dim, splits, withRanking }),
  };
}

/** What classes and numbers of graphs and of edges have in common: none of their nodes is a seed. */
function goalLearning(name: string, task: NodeTask, dim: number) {
  return {
    name,
    outDim: dim,
    scaling: null,
    numTrain: task.seedsOf("train").length,
    trainNodes: new Int32Array(),
    hasValidation: task.seedsOf("val").length > 0,
    trainMetrics: (sums: Parameters<NodeTask["trainMetrics"]>[0]) => task.trainMetrics(sums),
  };
}
