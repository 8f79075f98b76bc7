import { activeCuda } from "../backends/active-cuda.ts";
import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { FeaturePolicy, PlacedMatrix } from "../backends/cuda/placed-features.ts";
import { everyRank } from "../dist/agreement.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { mostRead, timesRead } from "../graph/most-read.ts";
import { type FeaturePlacement, pinnableBytes, placementWords } from "../host/feature-placement.ts";
import {
  bytesBesideGraph,
  graphTerms,
  graphTooLarge,
  placeGraph,
  type SampledGraph,
  samplingWords,
} from "../host/graph-placement.ts";
import {
  exchangedRowBytes,
  type LearnedPlacement,
  type LearnedRoom,
  learnedPlacementWords,
  placeLearnedRows,
} from "../host/learned-placement.ts";
import { termsBeside, type WorkBeside } from "../host/memory-beside.ts";
import { type BatchSize, type ModelSize, stepTerms } from "../host/step-memory.ts";
import { usableMemory } from "../host/usable.ts";
import type { GnnModel } from "../nn/model.ts";
import { countParameters } from "../optim/flat-gradients.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";
import { type ShardedFeatures, shardFeatures } from "./shard-features.ts";

export interface LearnedSize {
  readonly dim: number;
  /** This rank's rows and what their optimizer keeps */
  readonly numBytes: number;
}

/** A graph that the device could sample itself */
export interface SampledParts {
  readonly size: SampledGraph;
  /** What all feature rows take as they are stored; 0 where they are sparse */
  readonly featureBytes: number;
  /** Uploads the graph. @throws GnnError DEVICE_OUT_OF_MEMORY */
  readonly upload: (cuda: CudaBackend) => Promise<void>;
}

export interface PlacingParts {
  readonly asked: FeaturePlacement | "auto" | undefined;
  readonly model: GnnModel;
  readonly inDim: number;
  readonly numHops: number;
  /** Relations that the model tells apart; default none */
  readonly numRelations?: number | undefined;
  /** Rows and edges that are in work at a time */
  readonly batch: BatchSize;
  /** What the training has beside model and batch; left out: nothing */
  readonly beside?: Omit<WorkBeside, "ranks">;
  readonly graph: CscGraph;
  /** What the model reads; a matrix of it may lie in shares with other devices. Left out: nothing is shared */
  readonly features?: FeatureStore;
  readonly rank: RankContext;
  /** Whether the ranks' devices are joined; left out: they are not */
  readonly isJoined?: boolean;
  /** Rows that are learned of the nodes; left out: none are */
  readonly learned?: LearnedSize | null;
  /** What the device could sample itself; left out or null: nothing is */
  readonly sampled?: SampledParts | null;
  /** Told of each matrix that is placed, in words */
  readonly tell: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What was placed for a run */
export interface PlacedForDevice {
  /** Where learned rows are to lie; null: there are none, or no device */
  readonly learned: LearnedPlacement | null;
  /** To be closed when the run has ended well; null: no features are shared */
  readonly sharded: ShardedFeatures | null;
}

/**
 * Has a device place feature matrices as the estimate of a job does, by the memory that it has; nothing on CPUs. What
 * was placed before stays where it is. Every rank calls it: learned rows lie on the devices of all, or of none, and the
 * ranks of a host share the features, or none does.
 */
export async function placeForDevice(parts: PlacingParts): Promise<PlacedForDevice> {
  const cuda = activeCuda();
  if (!cuda) return { learned: null, sharded: null };
  const { model, inDim, numHops, numRelations = 0, batch, graph, rank, learned = null, asked = "auto", tell } = parts;
  const hiddenFeats = Math.max(...model.layers.map(({ outDim }) => outDim));
  const numFrozenParameters = countParameters(model.buffers ?? []);
  const numParameters = countParameters(model.variables) + numFrozenParameters;
  const learnedDim = learned?.dim ?? 0;
  const size: ModelSize = {
    numParameters,
    numFrozenParameters,
    inDim,
    hiddenFeats,
    numHops,
    learnedDim,
    numRelations,
    hasBatchNorm: hasBatchNorm(model),
  };
  const { beside = { remembered: null, compared: null, scored: null } } = parts;
  const terms = [...stepTerms(size, batch), ...termsBeside(size, batch, { ...beside, ranks: rank.worldSize })];
  const stepBytes = terms.reduce((sum, { amount }) => sum + amount, 0);
  const deviceBytes = Math.max(0, cuda.addon.deviceMemory().totalBytes - stepBytes);
  const room = learned && roomFor(learned, parts, deviceBytes);
  const fits = room && placeLearnedRows(room) === "device";
  const placement = room && ((await everyRank(rank.collective, fits === true)) ? "device" : "host");
  if (room && placement) tell(learnedPlacementWords[placement], { bytes: room.numBytes, roomBytes: deviceBytes });
  const learnedBytes = room && placement === "device" ? room.numBytes + room.exchangedBytes : 0;
  const graphBytes = await placeSampledGraph(cuda, parts, deviceBytes - learnedBytes);
  cuda.features.policy = {
    asked,
    reservedBytes: stepBytes + learnedBytes + graphBytes,
    pinnableBytes: pinnableBytes(usableMemory(), ranksOfHost(rank)),
    mostRead: graph.remote ? null : mostReadOf(graph),
    onPlaced: (placed) => tell(placementWords[placed.placement], fieldsOf(placed)),
  };
  const stored = parts.features?.stored;
  return { learned: placement, sharded: stored ? await shardFeatures(cuda, stored, asked, rank) : null };
}

/** Each rank decides for itself: blocks have the same bits wherever they are sampled. @returns bytes on the device */
async function placeSampledGraph(
  cuda: CudaBackend,
  { sampled, asked = "auto", batch, rank, tell }: PlacingParts,
  deviceBytes: number,
): Promise<number> {
  if (!sampled) return 0;
  const { size, upload } = sampled;
  const numBytes = graphTerms(size, batch).reduce((sum, { amount }) => sum + amount, 0);
  const featureBytes = bytesBesideGraph(asked, sampled.featureBytes, ranksOfHost(rank));
  const fields = { bytes: numBytes, roomBytes: deviceBytes };
  if (placeGraph({ numBytes, featureBytes, deviceBytes }) === "host") {
    tell(samplingWords.host, { ...fields, whyNot: graphTooLarge });
    return 0;
  }
  try {
    await upload(cuda);
  } catch (error) {
    if (!(error instanceof GnnError) || error.code !== "DEVICE_OUT_OF_MEMORY") throw error;
    tell(samplingWords.host, { ...fields, whyNot: error.message });
    return 0;
  }
  tell(samplingWords.device, fields);
  return numBytes;
}

function ranksOfHost({ worldSize, numHosts = 1 }: RankContext): number {
  return Math.ceil(worldSize / numHosts);
}

function roomFor(
  { dim, numBytes }: LearnedSize,
  { rank, batch, isJoined = false }: PlacingParts,
  deviceBytes: number,
): LearnedRoom {
  const ranks = rank.worldSize;
  const exchangedBytes = exchangedRowBytes({ rows: batch.rows, dim, ranks });
  return { numBytes, exchangedBytes, isReached: ranks === 1 || isJoined, deviceBytes };
}

/** Counted when it is first asked for. */
function mostReadOf(graph: CscGraph): FeaturePolicy["mostRead"] {
  let counts: Int32Array | null = null;
  return (numRows, count) => {
    counts ??= timesRead(graph);
    return mostRead(counts.subarray(0, numRows), count);
  };
}

function fieldsOf({ numRows, dim, deviceRows, roomBytes, whyNot }: PlacedMatrix): Readonly<Record<string, unknown>> {
  return { rows: numRows, dim, deviceRows, roomBytes, ...(whyNot && { whyNotSharded: whyNot }) };
}
