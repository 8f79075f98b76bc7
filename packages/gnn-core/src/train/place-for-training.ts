import { activeCuda } from "../backends/active-cuda.ts";
import { comparesViews } from "../components/define-task.ts";
import { DenseFeatureStore } from "../features/dense-feature-store.ts";
import { storedAs } from "../features/feature-dtype.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { type SampledGraph, samplingWords } from "../host/graph-placement.ts";
import type { ScoredLinks, WorkBeside } from "../host/memory-beside.ts";
import type { BatchSize } from "../host/step-memory.ts";
import { DeviceSampler, type DeviceSamplerOptions } from "../sampling/device-sampler.ts";
import type { Sampler } from "../sampling/sampler.ts";
import { type WholeGraphOptions, WholeGraphSampler } from "../sampling/whole-graph-sampler.ts";
import { stepBatchSize } from "./batch-size.ts";
import { numHopsOf, tellsRelations } from "./build-components.ts";
import type { FitRun } from "./fit-run.ts";
import type { Learning } from "./learning.ts";
import { placeForDevice } from "./place-for-device.ts";
import type { ShardedFeatures } from "./shard-features.ts";
import type { TrainerParts } from "./trainer-parts.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/** Nodes that a batch begins with for each thing that is learnt, with what a link is compared with */
const nodesPerSeed: Readonly<Record<Learning["seeds"], number>> = { nodes: 1, graphs: 1, edges: 2, links: 4 };

/** What draws on the device, and holds memory of it until it is disposed */
export type OnDevice = Sampler & { dispose(): void };

/** What was placed for a run; whatever it is, it is the caller's to end. */
export interface PlacedForTraining {
  /** What samples the training's batches on the device; null: the host does */
  readonly sampler: OnDevice | null;
  /** Null: no features are shared */
  readonly sharded: ShardedFeatures | null;
}

/**
 * Has a device place the features, the learned rows and the graph for this run; what is chosen is told in the run's
 * log.
 *
 * Every rank calls it.
 */
export async function placeForTraining(
  setup: ResolvedSetup,
  parts: TrainerParts,
  { log }: FitRun,
): Promise<PlacedForTraining> {
  const { model, data, learning, embedding } = parts;
  const { options, registry, rank } = setup;
  const numHops = numHopsOf(options.model, registry);
  let sampler: OnDevice | null = null;
  const drawn = stepsReadAllNodes(setup, parts) ? wholeSteps(setup, parts) : deviceDraws(setup, parts);
  if (typeof drawn === "string") {
    if (activeCuda()) log.info(samplingWords.host, { whyNot: drawn });
  }
  const placed = await placeForDevice({
    asked: options.featurePlacement,
    model,
    inDim: data.features.dim,
    numHops,
    numRelations: tellsRelations(options.model, registry) ? parts.shape.numRelations : 0,
    batch: batchOf(setup, parts, numHops),
    beside: workBeside(setup, learning),
    graph: data.graph,
    features: data.features,
    rank,
    isJoined: parts.peers !== null,
    learned: embedding && { dim: embedding.dim, numBytes: embedding.numBytes },
    sampled:
      typeof drawn === "string"
        ? null
        : {
            size: { ...sizeOf(parts.sampledGraph), isWhole: "numHops" in drawn },
            featureBytes: bytesOf(setup.data.features),
            upload: async (cuda) => {
              sampler = await ("numHops" in drawn
                ? WholeGraphSampler.create(cuda, drawn)
                : DeviceSampler.create({ ...drawn, cuda }));
            },
          },
    tell: (message, fields) => log.info(message, fields),
  });
  const cuda = activeCuda();
  if (cuda && placed.learned === "device") embedding?.moveTo(cuda);
  return { sampler, sharded: placed.sharded };
}

/** Whether each hop of each step has all edges of the graph, but those between the nodes of the step's own links. */
function stepsReadAllNodes(
  { options: { train } }: ResolvedSetup,
  { learning, model, ...parts }: TrainerParts,
): boolean {
  const batchSize = stepBatchSize({ model, train, numTrain: learning.numTrain });
  const { sampler, sampledGraph: graph } = parts;
  return sampler.takesAll === true && learning.readsAllNodes?.({ sampler, graph, batchSize }) === true;
}

/** The whole graph, for a device to take the links of steps out of it; else why it cannot. */
function wholeSteps(
  { options, registry, sampler }: ResolvedSetup,
  { sampledGraph: graph, sampler: host }: TrainerParts,
): WholeGraphOptions | string {
  const numHops = numHopsOf(options.model, registry);
  if (numHops === 0) return noNeighbors;
  const why = whyNotHeld(graph, sampler);
  if (why) return why;
  if (graph.parts.some(({ weights }) => weights)) return "links of a step are taken out of edges without weights alone";
  return { graph, numHops, host };
}

const noNeighbors = "the model reads no neighbours";

/** Why a device does not take the graph as a whole; null: it can */
function whyNotHeld({ remote, parts }: CscGraph, otherProcesses: ResolvedSetup["sampler"]): string | null {
  if (otherProcesses) return "other processes draw the batches";
  if (remote) return "other ranks hold parts of the graph";
  return parts.some(({ types }) => types) ? "edges of several types are drawn with their types" : null;
}

/** What the device could draw in the sampler's place; else why it cannot. */
function deviceDraws(
  { options, registry, sampler }: ResolvedSetup,
  { learning, model, sampledGraph: graph, sampler: host }: TrainerParts,
): Omit<DeviceSamplerOptions, "cuda"> | string {
  const component = registry.get("sampler", options.sampling.type);
  const draws = component.drawsOnDevice?.(component.options.parse(options.sampling.options)) ?? null;
  if (!draws) return "a device draws neighbours uniformly, and in no other way";
  if (numHopsOf(options.model, registry) === 0) return noNeighbors;
  if (!learning.takesBlocksAsDrawn)
    return "a device samples for tasks on nodes, and for links where each step reads all nodes";
  const why = whyNotHeld(graph, sampler);
  if (why) return why;
  return { ...draws, graph, seed: options.train.seed, withDegrees: model.usesDegrees ?? false, host };
}

function sizeOf({ numNodes, numEdges, parts }: CscGraph): SampledGraph {
  return { numNodes, numEdges, isWeighted: parts.some(({ weights }) => weights !== null) };
}

/** Bytes of all rows as they are stored; 0 of sparse ones, which go up batch by batch. */
function bytesOf(features: FeatureStore): number {
  if (features.kind !== "dense") return 0;
  const { bytes } = storedAs[features instanceof DenseFeatureStore ? features.dtype : "fp32"];
  return features.numRows * features.dim * bytes;
}

/** As the estimate has it. */
function workBeside(setup: ResolvedSetup, learning: Learning): Omit<WorkBeside, "ranks"> {
  const { data, options, registry, task } = setup;
  const { numTrain, outDim } = learning;
  const { component } = task;
  const scored = scoredLinks(setup, learning);
  const { keepsFeatureSums = false } = registry.get("sampler", options.sampling.type);
  const numSeeds = Math.min(options.train.batchSize, numTrain);
  const remembered = keepsFeatureSums ? data.graph : null;
  if (!comparesViews(component)) return { remembered, compared: null, scored };
  const { comparesPairs = false, headFeats } = component;
  const compared = { numSeeds, dim: outDim, comparesPairs, headFeats: headFeats?.(task.options) ?? 0 };
  return { remembered, compared, scored };
}

function scoredLinks({ data, options, rank, task }: ResolvedSetup, learning: Learning): ScoredLinks | null {
  const { component } = task;
  if (component.seeds !== "edges") return null;
  const isBlocked = component.seedsAll?.(task.options) ?? false;
  const { numNodes } = data.graph;
  const numOthers = isBlocked ? numNodes : Math.min(numNodes, component.sharedPerLink?.(task.options) ?? 0);
  if (numOthers === 0) return null;
  const numLinks = Math.ceil(Math.min(options.train.batchSize, learning.numTrain) / rank.worldSize);
  return { numLinks, numOthers, dim: learning.outDim, isBlocked };
}

/** Upper bounds, as the estimate has them. */
function batchOf(
  { options, registry, rank }: ResolvedSetup,
  { learning, sampledGraph }: TrainerParts,
  numHops: number,
): BatchSize {
  const { numNodes, numEdges, nodeTypes } = sampledGraph;
  const { type, options: given } = options.sampling;
  const sampler = registry.get("sampler", type);
  const batch = Math.min(options.train.batchSize, Math.max(1, learning.numTrain));
  const numSeeds = Math.ceil(batch / rank.worldSize) * nodesPerSeed[learning.seeds];
  const perSeed = sampler.rowsPerSeed(
    sampler.options.parse(given),
    numEdges / Math.max(1, numNodes),
    numHops,
    numSeeds,
    nodeTypes?.names.length ?? 1,
  );
  const isWhole = learning.seeds === "graphs";
  const drawn = isWhole ? Number.POSITIVE_INFINITY : numSeeds * perSeed;
  return { rows: Math.min(numNodes, drawn), edges: Math.min(drawn, numEdges * Math.max(1, numHops)) };
}
