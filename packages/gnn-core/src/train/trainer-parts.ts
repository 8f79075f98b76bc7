import { activeCuda } from "../backends/active-cuda.ts";
import { comparesViews, learnsNothing, walksAlongEdges } from "../components/define-task.ts";
import { contrastKit } from "../contrast/contrast-kit.ts";
import { computeOnceOf } from "../dist/compute-once.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { LearntEdges } from "../edges/edge-loss.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import { noFeatures } from "../features/no-features.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { splitCode } from "../graph/split-nodes.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { LinkDecoder } from "../links/decoders/link-decoder.ts";
import type { GnnModel, ModelShape } from "../nn/model.ts";
import { withActivation } from "../nn/with-activation.ts";
import type { Sampler, SamplerContext } from "../sampling/sampler.ts";
import { epochSeeds } from "../sampling/seed-split.ts";
import { withDegrees } from "../sampling/with-degrees.ts";
import { withSortedRelations } from "../sampling/with-sorted-relations.ts";
import { untaughtObjection } from "../spec/untaught.ts";
import { randomRowsOf } from "../structural/random-rows.ts";
import { withStructuralFeatures } from "../structural/structural-features.ts";
import { makeTask } from "../tasks/make-task.ts";
import { nodesOfGraphs } from "../whole-graphs/pool-block.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";
import { stepBatchSize } from "./batch-size.ts";
import {
  buildModel,
  buildPass,
  buildSampler,
  messageGraphOf,
  refuseUntypedBlocks,
  refuseWholeGraphSampler,
  typesOf,
} from "./build-components.ts";
import { type ContrastLearning, contrastLearning, refuseBesideViews } from "./contrast-learning.ts";
import { headOfEdges, refuseBesideEdges } from "./edge-setup.ts";
import { type FittedTransform, fitTransforms, transformed } from "./feature-transforms.ts";
import type { ForwardPass } from "./forward-pass.ts";
import type { LearntGraphs } from "./graph-epoch.ts";
import { headOfGraphs, refuseBesideGraphs } from "./graph-setup.ts";
import { accessProfile, cacheHotRows } from "./hot-rows.ts";
import { inducedByTrainNodes } from "./induced-graph.ts";
import { edgeLearning, graphLearning, type Learning, linkLearning, nodeLearning } from "./learning.ts";
import { makeDecoder, withHead } from "./link-setup.ts";
import { NodeEmbedding } from "./node-embedding.ts";
import { samplerOfGraphs } from "./sampler-of-graphs.ts";
import { requireEqualTransforms, startedModel } from "./starting-point.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";
import { untaughtLearning } from "./untaught-learning.ts";
import { type WalkLearning, walkLearning, walksOf } from "./walk-learning.ts";

/** Everything that a trainer is put together from. */
export interface TrainerParts {
  readonly learning: Learning;
  /** What scores pairs by the model's rows; null: links are not what is learnt */
  readonly decoder: LinkDecoder | null;
  /** What reads a graph's row out of its nodes', and where graphs begin; null: graphs are not what is learnt */
  readonly graphs: LearntGraphs | null;
  /** What predicts by the rows of two ends, and of which edges; null: edges are not what is learnt */
  readonly edges: LearntEdges | null;
  readonly model: GnnModel;
  readonly shape: ModelShape;
  readonly transforms: readonly FittedTransform[];
  /** The data with the transforms applied and learnable rows: what the model sees */
  readonly data: TrainingData;
  /** Draws training batches, of an inductive task from the edges between training nodes alone */
  readonly sampler: Sampler;
  /** The graph that `sampler` draws from */
  readonly sampledGraph: CscGraph;
  readonly pass: ForwardPass;
  /** Learnable rows of the nodes; `data.features` has them beside the other columns */
  readonly embedding: NodeEmbedding | null;
  /** Joins the ranks' devices; null: nothing does, or there is one rank */
  readonly peers: PeerTensors | null;
  /** Whether what the pass knows of the graph, training on part of it, holds for evaluations too */
  readonly seesWholeGraph: boolean;
  /** Draws from the whole graph, for sampled evaluation */
  readonly evaluationSampler: Sampler;
}

/**
 * @param peers joins the ranks' devices; null: nothing does
 * @throws GnnError SPEC_INVALID, COMPONENT_UNKNOWN, TRAIN_NO_LABELS
 */
export async function makeTrainerParts(setup: ResolvedSetup, peers: PeerTensors | null): Promise<TrainerParts> {
  const { options, registry, rank, sharedRows } = setup;
  if (setup.data.graph.remote) refuseWholeGraphOptions(setup);
  const graph = await messageGraphOf(options.sampling, setup.data.graph, registry);
  const raw = { ...setup.data, graph, features: await featuresOf(setup, graph) };
  refuseUntaught(setup);
  const { inductive } = options.task;
  const decoder = setup.links ? makeDecoder(setup.links, setup) : null;
  const contrast = await contrastOf(setup);
  const { component } = setup.task;
  const walks = walksAlongEdges(component) ? walksOf(setup, component, graph) : null;
  const graphs = graphsOf(setup);
  const edges = edgesOf(setup);
  const learning = await learningOf(setup, raw, { decoder, contrast, walks, graphs, edges });
  const transforms = transformsOf(setup, raw, graphs);
  const features = transformed(raw.features, transforms);
  const embedding = await embeddingOf(setup, features, peers);
  const data = { ...raw, features: embedding?.inputs ?? features };
  const shape = { inDim: data.features.dim, outDim: learning.outDim, seed: options.train.seed, ...typesOf(graph) };
  refuseUntypedBlocks(options.model, options.sampling, registry);
  const { model: encoder, numHops, ...traits } = buildModel(options.model, shape, registry, graph);
  if (contrast && hasBatchNorm(encoder)) throw noBatchNorm();
  const rowsOf = contrast ? withActivation(encoder, contrast.objective.activation) : encoder;
  const head = decoder ?? contrast?.head ?? graphs?.head ?? edges?.head;
  const whole = head ? withHead(rowsOf, head) : rowsOf;
  const buildWith = (outDim: number) => buildModel(options.model, { ...shape, outDim }, registry, graph).model;
  const model = setup.start ? startedModel(whole, setup.start, shape.outDim, buildWith) : whole;
  const seen = inductive ? { ...data, graph: inducedByTrainNodes(data.graph, data.split) } : data;
  const built = await buildPass(options.sampling, { model, ...traits, data: seen, rank, sharedRows, peers }, registry);
  // The loader reads ahead: learnable rows come in the step itself.
  const pass = embedding ? { ...built, features } : built;
  const computeOnce = computeOnceOf(rank, sharedRows);
  const samplerOf = async ({ graph }: TrainingData, given: Sampler | null = null) => {
    const drawn = await drawnSampler(setup, { graph, numHops, computeOnce }, given);
    const told = model.usesDegrees ? withDegrees(drawn, graph) : drawn;
    // On processors the sorts would take threads from the step before.
    return model.walksRelations && activeCuda() ? withSortedRelations(told, shape.numRelations ?? 1) : told;
  };
  const sampler = await samplerOf(seen, setup.sampler);
  refuseSampledEvaluation(setup, model, sampler);
  await keepHotRows(setup, sampler, model, learning);
  if (embedding) refuseBesideEmbedding(setup, model);
  return {
    learning,
    decoder,
    graphs,
    edges,
    model,
    shape,
    transforms,
    data,
    sampler,
    sampledGraph: seen.graph,
    pass,
    embedding,
    peers,
    seesWholeGraph: !inductive,
    evaluationSampler: inductive && options.train.evaluate.mode === "sampled" ? await samplerOf(data) : sampler,
  };
}

/** What draws training batches: that of the options, or the one given, which draws the same elsewhere. */
async function drawnSampler(
  { options, registry, links, graphs }: ResolvedSetup,
  place: Pick<SamplerContext, "graph" | "numHops" | "computeOnce">,
  given: Sampler | null,
): Promise<Sampler> {
  const context = { ...place, seed: options.train.seed, times: links?.split.times?.messages ?? null };
  const own = async () =>
    graphs ? samplerOfGraphs(graphs.set, context) : buildSampler(options.sampling, context, registry);
  if (!given) return own();
  // Which seeds a step of links has depends on what is taken.
  return links ? { ...given, takesAll: (await own()).takesAll ?? false } : given;
}

/** Fitted to the data, or those of the model that the training starts from. */
function transformsOf(
  { options, start }: ResolvedSetup,
  data: TrainingData,
  graphs: LearntGraphs | null,
): readonly FittedTransform[] {
  const { transforms } = options.features;
  if (graphs)
    return fitTransforms(transforms, data.features, nodesOfGraphs(graphs.task.seedsOf("train"), graphs.offsets));
  if (!start) return fitTransforms(transforms, data.features, options.task.inductive ? seenNodes(data) : undefined);
  requireEqualTransforms(transforms, start);
  return start.transforms;
}

/** What is learnt, where it is not simply something of nodes */
interface Learnt {
  readonly decoder: LinkDecoder | null;
  readonly contrast: ContrastLearning | null;
  readonly walks: WalkLearning | null;
  readonly graphs: LearntGraphs | null;
  readonly edges: LearntEdges | null;
}

async function learningOf(
  { links, graphs: asked, edges: askedEdges, task, judgedBy }: ResolvedSetup,
  data: TrainingData,
  { decoder, contrast, walks, graphs, edges }: Learnt,
): Promise<Learning> {
  if (learnsNothing(task.component)) {
    return untaughtLearning(judgedBy.name, task.component.outDim(task.options, { classes: [] }));
  }
  if (walks) return walkLearning(judgedBy.name, walks);
  if (contrast) return contrastLearning(judgedBy.name, contrast);
  if (asked && graphs) return graphLearning(judgedBy.name, graphs, asked.dim);
  if (askedEdges && edges) return edgeLearning(judgedBy.name, edges, askedEdges.dim);
  if (links && decoder) return linkLearning(judgedBy.name, links, decoder);
  return nodeLearning(task.component.name, await makeTask(task, data), data.split.includes(splitCode.val));
}

/** The task on whole graphs and what follows the encoder; null: graphs are not what is learnt */
function graphsOf(setup: ResolvedSetup): LearntGraphs | null {
  const { graphs } = setup;
  if (!graphs) return null;
  refuseBesideGraphs(setup, graphs);
  return { ...headOfGraphs(graphs, setup.options.train.seed), offsets: graphs.set.offsets };
}

/** The task on edges and what follows the encoder; null: edges are not what is learnt */
function edgesOf(setup: ResolvedSetup): LearntEdges | null {
  const { edges } = setup;
  if (!edges) return null;
  refuseBesideEdges(setup, edges);
  return headOfEdges(edges, setup.options.train.seed);
}

/** @throws GnnError SPEC_INVALID with the pointer of what does not go with learning nothing */
function refuseUntaught({ options, task, registry }: ResolvedSetup): void {
  const objection = untaughtObjection(options, task.component, registry);
  if (!objection) return;
  const { pointer, message } = objection;
  throw new GnnError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

/** The views of a task that compares some; null: the task is another one */
async function contrastOf(setup: ResolvedSetup): Promise<ContrastLearning | null> {
  const { component, options } = setup.task;
  if (setup.links || setup.graphs || setup.edges || !comparesViews(component)) return null;
  refuseBesideViews(setup);
  const objective = await component.create(options, contrastKit);
  const { seed } = setup.options.train;
  const nodes = Int32Array.from({ length: setup.data.graph.numNodes }, (_, node) => node);
  return { objective, head: objective.head({ dim: objective.dim, seed }), nodes };
}

function noBatchNorm(): GnnError {
  const pointer = "/model/options/norm";
  const message = `${pointer}: statistics of the batch would tell the views apart; choose "layer" or none.`;
  return new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

/** The features of the data, and those made from the edges if the options ask for some; none where none are read */
async function featuresOf(setup: ResolvedSetup, graph: CscGraph): Promise<FeatureStore> {
  const { data, options, registry, rank, sharedRows } = setup;
  const { features } = data;
  const { component, options: ofTask } = setup.task;
  const random = randomRowsOf(options.model, registry, graph, {
    dim: component.outDim(ofTask, { classes: [] }),
    seed: options.train.seed,
  });
  if (random) return random;
  if (ignoresFeatures(setup)) return noFeatures(graph.numNodes);
  const { structural } = options.features;
  if (!structural) return features;
  if (options.task.inductive) {
    const pointer = "/features/structural";
    const message = `${pointer}: structural features look at every edge of the graph, which inductive training must not.`;
    throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
  }
  const { signal } = new AbortController();
  return withStructuralFeatures({ graph, features, rank, sharedRows, seed: options.train.seed, signal }, structural);
}

/** Whether the model reads learned rows alone. @throws GnnError SPEC_INVALID where features are to be changed */
function ignoresFeatures({ options, registry }: ResolvedSetup): boolean {
  if (registry.get("model", options.model.type).readsFeatures !== false) return false;
  const { structural, transforms } = options.features;
  if (!structural && transforms.length === 0) return true;
  const pointer = structural ? "/features/structural" : "/features/transforms";
  const message = `${pointer}: ${options.model.type} reads learned rows alone, and no features; leave it out.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

/** What looks at edges or rows of the whole graph cannot do so where other ranks hold them. */
function refuseWholeGraphOptions({ options, registry }: ResolvedSetup): void {
  refuseWholeGraphSampler(options.sampling, registry);
  const refuse = (pointer: string, what: string) => {
    const message = `${pointer}: ${what} needs the whole graph on every host; use "graph": "shared".`;
    throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
  };
  if (options.task.inductive) refuse("/task/inductive", "inductive training");
  if (options.features.structural) refuse("/features/structural", "making features from edges");
  if (options.features.transforms.includes("standardize")) refuse("/features/transforms", "standardize");
}

/** Keeps the rows of other ranks that this rank's batches read most. */
async function keepHotRows(
  { data, options, rank }: ResolvedSetup,
  sampler: Sampler,
  model: GnnModel,
  { trainNodes, numTrain, stepSeeds }: Pick<Learning, "trainNodes" | "numTrain" | "stepSeeds">,
) {
  const { remote, numNodes } = data.graph;
  if (!remote || !data.features.cache || options.remoteCache === 0) return;
  const { epochs, seed } = options.train;
  const batchSize = stepBatchSize({ model, numTrain: stepSeeds ? numTrain : trainNodes.length, train: options.train });
  const place = { seed, batchSize, rank: rank.rank, worldSize: rank.worldSize };
  const seedsOf = (epoch: number) => stepSeeds?.({ ...place, epoch }) ?? epochSeeds(trainNodes, { ...place, epoch });
  const profile = await accessProfile({ sampler, epochs, seedsOf }, remote.own, numNodes);
  await cacheHotRows(data.features, profile, options.remoteCache);
}

/** Learnable rows for all nodes, if the options ask for some */
async function embeddingOf(
  setup: ResolvedSetup,
  features: FeatureStore,
  peers: PeerTensors | null,
): Promise<NodeEmbedding | null> {
  const { data, options, rank, sharedRows, vectors } = setup;
  const { embedding } = options.features;
  if (!embedding) return null;
  if (options.task.inductive) throw noEmbedding("a node outside inductive training has no learned row");
  const { graph, owners = null } = data;
  const { seed } = options.train;
  return NodeEmbedding.create({
    options: embedding,
    numNodes: graph.numNodes,
    features,
    owners,
    rank,
    sharedRows,
    peers,
    vectors,
    seed,
  });
}

/** What keeps sums of features, or goes through a batch in pieces, reads input rows that no gradient follows. */
function refuseBesideEmbedding({ options, registry }: ResolvedSetup, model: GnnModel): void {
  const { name, createPass } = registry.get("sampler", options.sampling.type);
  if (model.usesNeighbors && createPass)
    throw noEmbedding(`the sampler ${name} keeps what it has read of the features`);
  if (hasBatchNorm(model)) throw noEmbedding('beside learnable rows choose "norm": "layer" instead of batch');
}

function noEmbedding(found: string): GnnError {
  const pointer = "/features/embedding";
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}

/** The nodes that inductive training may look at, labelled or not */
function seenNodes({ split }: TrainingData): Int32Array {
  return Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train);
}

/** The blocks of such a sampler mean nothing without its own forward pass, or outside the batches that it plans. */
function refuseSampledEvaluation({ options, registry }: ResolvedSetup, model: GnnModel, sampler: Sampler): void {
  const { name, createPass } = registry.get("sampler", options.sampling.type);
  const isBound = (model.usesNeighbors && createPass) || sampler.epochSeeds;
  if (options.train.evaluate.mode !== "sampled" || !isBound) return;
  const pointer = "/train/evaluate/mode";
  const message = `${pointer}: the sampler ${name} cannot estimate metrics from its batches; choose layerwise.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
