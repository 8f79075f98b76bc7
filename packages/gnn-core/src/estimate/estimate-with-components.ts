import { comparesViews, learnsNothing } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";
import type { FeatureDtype } from "../features/feature-dtype.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { EmbeddingOptions } from "../spec/embedding-options.ts";
import { type ResolvedTask, resolveTask } from "../spec/resolve-task.ts";
import { type StructuralOptions, structuralDim } from "../spec/structural-options.ts";
import type { TaskSection } from "../spec/task-section.ts";
import type { SplitOptions } from "../spec/train-options.ts";
import type { ContrastWork } from "./contrast-estimate.ts";
import { edgeWorkOf, seedsOfEdges } from "./edge-estimate.ts";
import { type EstimateInput, estimateJob, type JobEstimate, type LearnedRowsSize } from "./estimate-job.ts";
import { graphWorkOf } from "./graph-work.ts";
import type { LinkWork } from "./link-estimate.ts";
import { rankedWork } from "./ranked-work.ts";
import { walkWorkOf } from "./walk-estimate.ts";

interface Choice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/** The sections of a resolved job spec that an estimate reads. */
export interface EstimateSpec {
  readonly partition: Choice;
  readonly model: Choice;
  readonly sampling: Choice;
  readonly task: TaskSection;
  readonly split?: SplitOptions;
  readonly features?: {
    readonly structural?: StructuralOptions | null;
    readonly embedding?: EmbeddingOptions | null;
    readonly dtype?: FeatureDtype;
  };
  /** Numbers in weights that stay as they are; default none */
  readonly numFrozenParameters?: number;
  readonly train: {
    readonly epochs: number;
    readonly batchSize: number;
    readonly seed: number;
    readonly evaluate: { readonly everyEpochs: number };
    readonly checkpoint: { readonly keepBest: number };
  };
}

type EstimatedGraph = Pick<GraphInfo, "numNodes" | "numEdges" | "features" | "classes" | "splits"> & {
  readonly directed?: boolean;
  readonly labelCounts: readonly { readonly count: number }[];
  readonly edgeTypes?: readonly string[];
  readonly weights?: GraphInfo["weights"];
  readonly nodeTypes?: readonly string[];
  readonly schema?: GraphInfo["schema"];
  readonly graphs?: GraphInfo["graphs"];
  readonly edgeRows?: GraphInfo["edgeRows"];
};

/** The job's resources, as far as its size depends on them */
export interface EstimateResources extends Pick<EstimateInput, "ranks" | "samplers" | "threadsPerRank" | "device"> {
  /** Default shared */
  readonly graph?: "shared" | "partitioned";
  /** Default auto */
  readonly features?: EstimateInput["featurePlacement"];
}

/**
 * Estimates a job from its resolved spec, asking the components it names for their own figures.
 *
 * @throws GnnError COMPONENT_UNKNOWN
 */
export function estimateWithComponents(
  graph: EstimatedGraph,
  spec: EstimateSpec,
  registry: Registry,
  { ranks, samplers = 0, threadsPerRank, device = null, graph: placement, features: asked = "auto" }: EstimateResources,
): JobEstimate {
  const { numNodes, numEdges } = graph;
  const model = registry.get("model", spec.model.type);

  const learnedRows = learnedRowsOf(spec.features?.embedding ?? null);
  const task = resolveTask(spec.task, registry);
  const outDim = task.component.outDim(task.options, graph);
  const features = featuresRead(graph, spec, model);
  const work = workBeside(task, graph, { outDim, batchSize: spec.train.batchSize });
  const { links, edgeRows, contrast, walks } = work;
  const headParameters = headParametersOf(task, graph);
  const wholeGraphs = graphWorkOf(task, graph, spec);
  const { numSeeds: numTrainNodes, batchSize } =
    wholeGraphs ??
    (edgeRows && seedsOfEdges(edgeRows, spec.train.batchSize)) ??
    (links && endsOf(links, { numNodes, ranks })) ??
    (learnsNothing(task.component) ? { numSeeds: 0, batchSize: spec.train.batchSize } : null) ??
    seedsOfNodes(graph, spec, contrast !== null || walks !== null);
  const isOfNodes = !(learnsNothing(task.component) || Object.values(work).some(Boolean) || wholeGraphs);
  const modelOptions = model.options.parse(spec.model.options);
  const sampler = registry.get("sampler", spec.sampling.type);
  const numHops = model.numHops(modelOptions);
  const shape = { inDim: features.dim + (learnedRows?.dim ?? 0), outDim, seed: spec.train.seed, ...typesOf(graph) };
  const { madeEdges, meanDegree } = messagesOf(graph, spec, registry);
  const numSeeds = Math.ceil(Math.min(batchSize, Math.max(1, numTrainNodes)) / ranks);
  const drawnPerSeed = rowsDrawn(spec.sampling, registry, graph.nodeTypes, { meanDegree, numHops, numSeeds });
  const processes = { ranks, samplers, threadsPerRank, device };
  return estimateJob({
    graph: { numNodes, numEdges, features, numClasses: outDim, numTrainNodes },
    learnedRows,
    isPartitioned: placement === "partitioned",
    featureDtype: spec.features?.dtype ?? "fp32",
    numParameters: model.numParameters(modelOptions, shape) + headParameters,
    numFrozenParameters: spec.numFrozenParameters ?? 0,
    hiddenFeats: model.hiddenFeats?.(modelOptions, shape) ?? Math.max(shape.inDim, shape.outDim),
    numHops,
    numRelations: model.readsEdgeTypes?.(modelOptions) ? shape.numRelations : 0,
    numLayers: numHops + (shape.numLearnedRows !== undefined && model.projectsTypes ? 1 : 0),
    messageCost: model.messageCost,
    hasBatchNorm: (modelOptions as { readonly norm?: unknown }).norm === "batch",
    keepsFeatureSums: (numHops > 0 && sampler.keepsFeatureSums) ?? false,
    // A batch of whole graphs has its own nodes as input rows, and no others.
    rowsPerSeed: wholeGraphs ? 1 : (walks?.nodes ?? 1) * drawnPerSeed,
    partitionBytes: registry.get("partitioner", spec.partition.type).peakBytes(numNodes, numEdges),
    epochs: spec.train.epochs,
    batchSize,
    ...work,
    ...processes,
    evaluateEveryEpochs: spec.train.evaluate.everyEpochs,
    passesPerEpoch: numHops > 0 ? (sampler.passesPerEpoch ?? 0) : 0,
    structural: structuralWork(spec.features?.structural ?? null),
    featurePlacement: asked,
    madeEdges,
    deviceSampling: deviceSamplingOf(graph, spec, registry, { samplers, placement, isOfNodes, links }),
    keptCheckpoints: spec.train.checkpoint.keepBest,
  });
}

/** Rows of the input layer that the sampler draws for each seed */
function rowsDrawn(
  { type, options }: Choice,
  registry: Registry,
  nodeTypes: readonly string[] = [],
  of: { readonly meanDegree: number; readonly numHops: number; readonly numSeeds: number },
): number {
  const sampler = registry.get("sampler", type);
  const numNodeTypes = Math.max(1, nodeTypes.length);
  return sampler.rowsPerSeed(sampler.options.parse(options), of.meanDegree, of.numHops, of.numSeeds, numNodeTypes);
}

/** Neighbours that a node hears from, and edges made for that; null: messages go along those that are stored */
function messagesOf(
  { numNodes, numEdges, weights = null }: EstimatedGraph,
  { sampling }: EstimateSpec,
  registry: Registry,
) {
  const sampler = registry.get("sampler", sampling.type);
  const perEdge = sampler.edgesMade?.(sampler.options.parse(sampling.options)) ?? 0;
  const madeEdges = perEdge > 0 ? { perEdge, isWeighted: weights !== null } : null;
  return { madeEdges, meanDegree: (numEdges * Math.max(1, perEdge)) / Math.max(1, numNodes) };
}

interface SampledBy {
  readonly samplers: number;
  readonly placement: EstimateResources["graph"];
  readonly isOfNodes: boolean;
  readonly links: LinkWork | null;
}

/** As a rank decides it, of a task on nodes or of links whose steps read all nodes; null: only the host samples. */
function deviceSamplingOf(
  graph: EstimatedGraph,
  spec: EstimateSpec,
  registry: Registry,
  { samplers, placement, isOfNodes, links }: SampledBy,
): NonNullable<EstimateInput["deviceSampling"]> | null {
  if (samplers !== 0 || placement === "partitioned") return null;
  const { edgeTypes = [], weights = null } = graph;
  const { model, sampling } = spec;
  const sampler = registry.get("sampler", sampling.type);
  const { numHops, options } = registry.get("model", model.type);
  const isDrawn = numHops(options.parse(model.options)) > 0 && edgeTypes.length < 2;
  if (links && readsAllNodes(links, graph, spec, registry)) {
    return isDrawn && weights === null ? { isWeighted: false, isWhole: true } : null;
  }
  if (!isOfNodes) return null;
  const draws = sampler.drawsOnDevice?.(sampler.options.parse(sampling.options)) ?? null;
  return isDrawn && draws ? { isWeighted: weights !== null } : null;
}

/** As `readsAllNodes` of a training has it: whether each step begins with all nodes, and takes all of their edges. */
function readsAllNodes(
  { seedsAll, sharedPerLink }: LinkWork,
  { numNodes, numEdges }: EstimatedGraph,
  { sampling, train }: EstimateSpec,
  registry: Registry,
): boolean {
  const sampler = registry.get("sampler", sampling.type);
  if (!sampler.takesAll?.(sampler.options.parse(sampling.options))) return false;
  return seedsAll || (sharedPerLink > 0 && (train.batchSize * numEdges) / numNodes >= numNodes);
}

/** What each kind of task does beside training on nodes; null: the task is of another kind */
function workBeside(
  task: ResolvedTask,
  graph: EstimatedGraph,
  { outDim, batchSize }: { readonly outDim: number; readonly batchSize: number },
) {
  return {
    links: linkWorkOf(task, graph, batchSize),
    edgeRows: edgeWorkOf(task, graph),
    contrast: contrastWorkOf(task, outDim),
    walks: walkWorkOf(task),
  };
}

function seedsOfNodes(graph: EstimatedGraph, { split, train }: EstimateSpec, areAll: boolean) {
  return { numSeeds: areAll ? graph.numNodes : trainNodesOf(graph, split), batchSize: train.batchSize };
}

function contrastWorkOf({ component, options }: ResolvedTask, dim: number): ContrastWork | null {
  if (!comparesViews(component)) return null;
  return { dim, comparesPairs: component.comparesPairs ?? false, headFeats: component.headFeats?.(options) ?? 0 };
}

function headParametersOf({ component, options }: ResolvedTask, graph: EstimatedGraph): number {
  if (comparesViews(component)) return component.numParameters(options);
  return component.seeds === "graphs" || component.seeds === "edgeRows" ? component.numParameters(options, graph) : 0;
}

/** As the trainer tells a model: types are known where edges have several. */
function typesOf({ edgeTypes = [], nodeTypes = [], features: { types }, schema }: EstimatedGraph) {
  if (edgeTypes.length < 2) return { numLearnedRows: undefined };
  const countOf = (name: string) => schema?.nodeTypes.find((type) => type.name === name)?.count ?? 0;
  const numLearnedRows = types?.reduce((sum, { name, dim }) => sum + (dim === 0 ? countOf(name) : 0), 0);
  return { numRelations: edgeTypes.length, numNodeTypes: Math.max(1, nodeTypes.length), numLearnedRows };
}

/** What a task on edges does beside; of a split that the dataset gives nothing is known but the number of links. */
function linkWorkOf({ component, options }: ResolvedTask, graph: EstimatedGraph, batchSize: number): LinkWork | null {
  if (component.seeds !== "edges") return null;
  const { numEdges, directed } = graph;
  const { split, disjoint, evaluationNegatives } = component.split(options);
  const numLinks = directed ? numEdges : Math.ceil(numEdges / 2);
  const heldOut = split.type === "given" ? 0 : split.val + split.test;
  const tellsRelations = component.tellsRelations?.(options) ?? false;
  const numHeldOutLinks = Math.ceil(numLinks * heldOut);
  const numTrain = Math.ceil(numLinks * (1 - heldOut) * (disjoint ?? 1));
  return {
    numTrain,
    linksPerStep: linksPerStep(numTrain, batchSize),
    seedsAll: component.seedsAll?.(options) ?? false,
    numHeldOut: numHeldOutLinks * (1 + evaluationNegatives),
    numFiltered: component.ranksAllNodes?.(options) ? 2 * numHeldOutLinks * graph.numNodes : 0,
    pairsPerLink: component.pairsPerLink(options),
    sharedPerLink: Math.min(graph.numNodes, component.sharedPerLink?.(options) ?? 0),
    isTimed: split.type === "time",
    dim: component.outDim(options, { classes: [] }),
    ...rankedWork(graph, component.numNewNeighbors(options), tellsRelations),
  };
}

/**
 * Seeds are the ends of pairs, two of each link and one more of each pair without a link, and on each rank what links
 * share; or all nodes on each rank.
 */
function endsOf(
  { numTrain, pairsPerLink, sharedPerLink, linksPerStep: perStep, seedsAll }: LinkWork,
  { numNodes, ranks }: { readonly numNodes: number; readonly ranks: number },
) {
  if (seedsAll) return { numSeeds: Math.ceil(numTrain / perStep) * numNodes * ranks, batchSize: numNodes * ranks };
  const ends = pairsPerLink + 1;
  const numShared = Math.ceil(numTrain / perStep) * sharedPerLink;
  return { numSeeds: numTrain * ends + numShared * ranks, batchSize: perStep * ends + sharedPerLink * ranks };
}

/** A step hides at most a quarter of the links. */
function linksPerStep(numTrain: number, batchSize: number): number {
  return Math.min(batchSize, Math.max(1, Math.ceil(numTrain / 4)));
}

/** As the dataset's own split says, or the share that a random split takes of the labelled nodes. */
function trainNodesOf({ numNodes, splits, labelCounts }: EstimatedGraph, split: EstimateSpec["split"]): number {
  if (split?.type !== "random") return splits.train;
  const numLabelled = labelCounts.reduce((sum, { count }) => sum + count, 0);
  // Several labels per node are counted each, numbers not at all.
  return Math.round(split.train * (numLabelled === 0 ? numNodes : Math.min(numNodes, numLabelled)));
}

/** Those of the graph with what is made from its edges; none where the model reads learned or random rows alone */
function featuresRead(
  graph: EstimatedGraph,
  { features }: EstimateSpec,
  { readsFeatures }: { readonly readsFeatures?: boolean },
): GraphInfo["features"] {
  if (readsFeatures === false) return { kind: "none", dim: 0 };
  return givenFeatures(graph, features?.structural ?? null);
}

/** With the columns that are made from the edges */
function givenFeatures(
  { features: own, numNodes }: EstimatedGraph,
  structural: StructuralOptions | null,
): GraphInfo["features"] {
  if (structural?.method === "identity") return { kind: "csr", dim: numNodes, numValues: numNodes };
  const more = structuralDim(structural, numNodes);
  return more > 0 ? { kind: "dense", dim: own.dim + more } : own;
}

function structuralWork(options: StructuralOptions | null): EstimateInput["structural"] {
  if (!options || options.method === "degree" || options.method === "identity") return null;
  return { rounds: options.hops, dim: options.dim, isOrthogonal: options.method === "spectral" };
}

/** Adam keeps two moments and the number of updates of each row, Adagrad the sum of squares. */
function learnedRowsOf(embedding: EmbeddingOptions | null): LearnedRowsSize | null {
  if (!embedding) return null;
  const { dim, optimizer, vectors } = embedding;
  const stateBytesPerRow = optimizer.type === "sparseAdam" ? dim * 8 + 4 : dim * 4;
  return { dim, stateBytesPerRow, fromFile: vectors !== undefined };
}
