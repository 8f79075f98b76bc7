import { activeCuda } from "../backends/active-cuda.ts";
import type { FeaturePolicy, PlacedMatrix } from "../backends/cuda/placed-features.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { mostRead, timesRead } from "../graph/most-read.ts";
import { type FeaturePlacement, pinnableBytes, placementWords } from "../host/feature-placement.ts";
import { type BatchSize, type ModelSize, stepTerms } from "../host/step-memory.ts";
import { usableMemory } from "../host/usable.ts";
import type { GnnModel } from "../nn/model.ts";
import { countParameters } from "../optim/flat-gradients.ts";

export interface PlacingParts {
  readonly asked: FeaturePlacement | "auto" | undefined;
  readonly model: GnnModel;
  readonly inDim: number;
  readonly numHops: number;
  /** Rows and edges that are in work at a time */
  readonly batch: BatchSize;
  readonly graph: CscGraph;
  readonly rank: RankContext;
  /** Told of each matrix that is placed, in words */
  readonly tell: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * Has a device place feature matrices as the estimate of a job does, by the memory that it has; nothing on CPUs. What
 * was placed before stays where it is.
 */
export function placeForDevice(parts: PlacingParts): void {
  const cuda = activeCuda();
  if (!cuda) return;
  const { model, inDim, numHops, batch, graph, rank, asked = "auto", tell } = parts;
  const hiddenFeats = Math.max(...model.layers.map(({ outDim }) => outDim));
  const size: ModelSize = { numParameters: countParameters(model.variables), inDim, hiddenFeats, numHops };
  cuda.features.policy = {
    asked,
    reservedBytes: stepTerms(size, batch).reduce((sum, { amount }) => sum + amount, 0),
    pinnableBytes: pinnableBytes(usableMemory(), Math.ceil(rank.worldSize / (rank.numHosts ?? 1))),
    mostRead: graph.remote ? null : mostReadOf(graph),
    onPlaced: (placed) => tell(placementWords[placed.placement], fieldsOf(placed)),
  };
}

/** Counted when it is first asked for. */
function mostReadOf(graph: CscGraph): FeaturePolicy["mostRead"] {
  let counts: Int32Array | null = null;
  return (numRows, count) => {
    counts ??= timesRead(graph);
    return mostRead(counts.subarray(0, numRows), count);
  };
}

function fieldsOf({ numRows, dim, deviceRows, roomBytes }: PlacedMatrix): Readonly<Record<string, unknown>> {
  return { rows: numRows, dim, deviceRows, roomBytes };
}
