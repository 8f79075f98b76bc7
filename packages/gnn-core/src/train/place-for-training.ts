import { activeCuda } from "../backends/active-cuda.ts";
import { comparesViews } from "../components/define-task.ts";
import type { BatchSize } from "../host/step-memory.ts";
import { numHopsOf, tellsRelations } from "./build-components.ts";
import type { FitRun } from "./fit-run.ts";
import type { Learning } from "./learning.ts";
import { placeForDevice } from "./place-for-device.ts";
import type { TrainerParts } from "./trainer-parts.ts";
import type { ResolvedSetup } from "./trainer-setup.ts";

/** Nodes that a batch begins with for each thing that is learnt, with what a link is compared with */
const nodesPerSeed: Readonly<Record<Learning["seeds"], number>> = { nodes: 1, graphs: 1, edges: 2, links: 4 };

/** Has a device place the features and the learned rows for this run; what is chosen is told in the run's log. */
export async function placeForTraining(setup: ResolvedSetup, parts: TrainerParts, { log }: FitRun): Promise<void> {
  const { model, data, learning, embedding } = parts;
  const { options, registry, rank } = setup;
  const numHops = numHopsOf(options.model, registry);
  const placement = await placeForDevice({
    asked: options.featurePlacement,
    model,
    inDim: data.features.dim,
    numHops,
    numRelations: tellsRelations(options.model, registry) ? parts.shape.numRelations : 0,
    batch: batchOf(setup, learning, numHops),
    beside: workBeside(setup, learning),
    graph: data.graph,
    rank,
    isJoined: parts.peers !== null,
    learned: embedding && { dim: embedding.dim, numBytes: embedding.numBytes },
    tell: (message, fields) => log.info(message, fields),
  });
  const cuda = activeCuda();
  if (cuda && placement === "device") embedding?.moveTo(cuda);
}

/** As the estimate has it. */
function workBeside({ data, options, registry, task }: ResolvedSetup, { numTrain, outDim }: Learning) {
  const { component } = task;
  const { keepsFeatureSums = false } = registry.get("sampler", options.sampling.type);
  const numSeeds = Math.min(options.train.batchSize, numTrain);
  const remembered = keepsFeatureSums ? data.graph : null;
  if (!comparesViews(component)) return { remembered, compared: null };
  const { comparesPairs = false, headFeats } = component;
  return { remembered, compared: { numSeeds, dim: outDim, comparesPairs, headFeats: headFeats?.(task.options) ?? 0 } };
}

/** Upper bounds, as the estimate has them. */
function batchOf({ data, options, registry, rank }: ResolvedSetup, learning: Learning, numHops: number): BatchSize {
  const { numNodes, numEdges } = data.graph;
  const { type, options: given } = options.sampling;
  const sampler = registry.get("sampler", type);
  const batch = Math.min(options.train.batchSize, Math.max(1, learning.numTrain));
  const numSeeds = Math.ceil(batch / rank.worldSize) * nodesPerSeed[learning.seeds];
  const perSeed = sampler.rowsPerSeed(
    sampler.options.parse(given),
    numEdges / Math.max(1, numNodes),
    numHops,
    numSeeds,
  );
  const isWhole = learning.seeds === "graphs";
  const drawn = isWhole ? Number.POSITIVE_INFINITY : numSeeds * perSeed;
  return { rows: Math.min(numNodes, drawn), edges: Math.min(drawn, numEdges * Math.max(1, numHops)) };
}
