import type { FeatureDtype } from "../features/feature-dtype.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { Registry } from "../spec/registry.ts";
import { type StructuralOptions, structuralDim } from "../structural/structural-options.ts";
import { type TaskOptions, targetsOf } from "../tasks/task-options.ts";
import { estimateJob, type JobEstimate } from "./estimate-job.ts";

interface Choice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/** The sections of a resolved job spec that an estimate reads. */
export interface EstimateSpec {
  readonly partition: Choice;
  readonly model: Choice;
  readonly sampling: Choice;
  readonly task?: TaskOptions;
  readonly features?: { readonly structural?: StructuralOptions | null; readonly dtype?: FeatureDtype };
  readonly train: {
    readonly epochs: number;
    readonly batchSize: number;
    readonly seed: number;
    readonly evaluate: { readonly everyEpochs: number };
    readonly checkpoint: { readonly keepBest: number };
  };
}

type EstimatedGraph = Pick<GraphInfo, "numNodes" | "numEdges" | "features" | "classes" | "splits">;

const defaultHidden = 256;

/**
 * Estimates a job from its resolved spec, asking the components it names for their own figures.
 *
 * @throws GnnError COMPONENT_UNKNOWN
 */
export function estimateWithComponents(
  graph: EstimatedGraph,
  spec: EstimateSpec,
  registry: Registry,
  { ranks, threadsPerRank }: { readonly ranks: number; readonly threadsPerRank: number },
): JobEstimate {
  const { numNodes, numEdges, splits } = graph;
  const features = inputFeatures(graph.features, spec.features?.structural ?? null);
  const outDim = spec.task?.type === "nodeRegression" ? targetsOf(spec.task).length : graph.classes.length;
  const model = registry.get("model", spec.model.type);
  const modelOptions = model.options.parse(spec.model.options);
  const sampler = registry.get("sampler", spec.sampling.type);
  const numHops = model.numHops(modelOptions);
  const hidden = modelOptions["hiddenFeats"];
  const shape = { inDim: features.dim, outDim, seed: spec.train.seed };
  const meanDegree = numEdges / Math.max(1, numNodes);
  const numSeeds = Math.ceil(Math.min(spec.train.batchSize, Math.max(1, splits.train)) / ranks);
  return estimateJob({
    graph: { numNodes, numEdges, features, numClasses: outDim, numTrainNodes: splits.train },
    featureDtype: spec.features?.dtype ?? "fp32",
    numParameters: model.numParameters(modelOptions, shape),
    hiddenFeats: typeof hidden === "number" ? hidden : defaultHidden,
    numHops,
    rowsPerSeed: sampler.rowsPerSeed(sampler.options.parse(spec.sampling.options), meanDegree, numHops, numSeeds),
    partitionBytes: registry.get("partitioner", spec.partition.type).peakBytes(numNodes, numEdges),
    epochs: spec.train.epochs,
    batchSize: spec.train.batchSize,
    ranks,
    threadsPerRank,
    evaluateEveryEpochs: spec.train.evaluate.everyEpochs,
    keptCheckpoints: spec.train.checkpoint.keepBest,
  });
}

/** With the columns that are made from the edges */
function inputFeatures(own: GraphInfo["features"], structural: StructuralOptions | null): GraphInfo["features"] {
  return structural ? { kind: "dense", dim: own.dim + structuralDim(structural) } : own;
}
