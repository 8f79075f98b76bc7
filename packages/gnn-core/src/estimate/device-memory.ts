import { storedAs } from "../features/feature-dtype.ts";
import {
  type FeatureRoom,
  type PlacedFeatures,
  placeFeatures,
  type Sharers,
  shareBytes,
} from "../host/feature-placement.ts";
import { bytesBesideGraph, graphTerms, placeGraph, type SamplingPlace } from "../host/graph-placement.ts";
import { exchangedRowBytes, type LearnedPlacement, placeLearnedRows } from "../host/learned-placement.ts";
import { termsBeside, type WorkBeside } from "../host/memory-beside.ts";
import { type BatchSize, type MemoryTerm, stepTerms } from "../host/step-memory.ts";
import { comparedRows } from "./contrast-estimate.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";
import { scoredLinks } from "./link-estimate.ts";
import { numMessageEdges } from "./message-edges.ts";

/** Dense features that are placed for a device, and where */
export interface EstimatedPlacement extends PlacedFeatures {
  readonly numRows: number;
  /** As they are stored */
  readonly rowBytes: number;
  /** What is left for them of the device's memory */
  readonly roomBytes: number;
}

export interface DeviceNeeds {
  readonly lines: EstimateLine[];
  /** Null where there are no dense features */
  readonly placed: EstimatedPlacement | null;
  /** Null where no rows are learned */
  readonly learnedPlacement: LearnedPlacement | null;
  /** Who samples the blocks; null where a device could not */
  readonly samplingPlace: SamplingPlace | null;
}

/**
 * What a rank needs of the memory of a device that it has to itself. Learned rows lie where `placeLearnedRows` says,
 * then dense features where `placeFeatures` does; where ranks hold parts of the graph, rows go up batch by batch.
 */
export function deviceLines(
  input: EstimateInput,
  batch: BatchSize,
  { deviceBytes, hostBytes }: Pick<FeatureRoom, "deviceBytes" | "hostBytes">,
): DeviceNeeds {
  const { graph, learnedRows, numRelations = 0 } = input;
  const learnedDim = learnedRows?.dim ?? 0;
  const model = { ...input, inDim: graph.features.dim + learnedDim, learnedDim, numRelations };
  const step = [...stepTerms(model, batch), ...termsBeside(model, batch, workBeside(input))];
  const learned = learnedOn(input, batch, roomBeside(step, deviceBytes));
  const before = [...step, ...learned.lines];
  const sampling = samplingOn(input, batch, roomBeside(before, deviceBytes));
  const lines = [...before, ...sampling.lines];
  const placed = placementOf(input, { deviceBytes: roomBeside(lines, deviceBytes), hostBytes });
  const all = [...lines, ...residentLines(placed)].map((line) => ({ of: "deviceMemory" as const, ...line }));
  return { lines: all, placed, learnedPlacement: learned.placement, samplingPlace: sampling.place };
}

function workBeside(input: EstimateInput): WorkBeside {
  const { graph, ranks, keepsFeatureSums = false } = input;
  return {
    ranks,
    remembered: keepsFeatureSums ? graph : null,
    compared: comparedRows(input),
    scored: scoredLinks(input),
  };
}

function roomBeside(terms: readonly MemoryTerm[], deviceBytes: number): number {
  return Math.max(0, deviceBytes - terms.reduce((sum, { amount }) => sum + amount, 0));
}

/** Several ranks have a share each, where their devices are joined. */
function learnedOn(
  { graph, learnedRows, ranks }: EstimateInput,
  { rows }: BatchSize,
  deviceBytes: number,
): { readonly placement: LearnedPlacement | null; readonly lines: readonly MemoryTerm[] } {
  if (!learnedRows) return { placement: null, lines: [] };
  const { dim, stateBytesPerRow } = learnedRows;
  const numBytes = Math.ceil(graph.numNodes / ranks) * (dim * 4 + stateBytesPerRow);
  const exchangedBytes = exchangedRowBytes({ rows, dim, ranks });
  const placement = placeLearnedRows({ numBytes, exchangedBytes, isReached: true, deviceBytes });
  const lines = [
    { what: "learned rows and their optimizer's state", amount: numBytes },
    ...(ranks > 1 ? [{ what: "learned rows that ranks exchange in a step", amount: exchangedBytes }] : []),
  ];
  return { placement, lines: placement === "device" ? lines : [] };
}

/** The graph lies on each device as a whole. */
function samplingOn(
  input: EstimateInput,
  batch: BatchSize,
  deviceBytes: number,
): { readonly place: SamplingPlace | null; readonly lines: readonly MemoryTerm[] } {
  const { graph, deviceSampling = null, featureDtype = "fp32", featurePlacement = "auto" } = input;
  if (!deviceSampling) return { place: null, lines: [] };
  const lines = graphTerms({ ...graph, numEdges: numMessageEdges(input), ...deviceSampling }, batch);
  const numBytes = lines.reduce((sum, { amount }) => sum + amount, 0);
  const { kind, dim } = graph.features;
  const allBytes = kind === "dense" ? graph.numNodes * dim * storedAs[featureDtype].bytes : 0;
  const featureBytes = bytesBesideGraph(featurePlacement, allBytes, sharersOf(input).count);
  const place = placeGraph({ numBytes, featureBytes, deviceBytes });
  return { place, lines: place === "device" ? lines : [] };
}

/** Ranks of one host, which could have a share of the features each, as their devices were announced */
function sharersOf({ ranks, device }: EstimateInput): Sharers {
  const { onHost, linked } = device?.peers ?? { onHost: 1, linked: 1 };
  const count = Math.floor(ranks / Math.ceil(ranks / onHost));
  return { count, areLinked: count <= linked };
}

function placementOf(
  input: EstimateInput,
  room: Pick<FeatureRoom, "deviceBytes" | "hostBytes">,
): EstimatedPlacement | null {
  const { graph, featureDtype = "fp32", isPartitioned, featurePlacement = "auto" } = input;
  const { kind, dim } = graph.features;
  if (kind !== "dense" || dim === 0) return null;
  const matrix = { numRows: graph.numNodes, rowBytes: dim * storedAs[featureDtype].bytes };
  const asked = isPartitioned ? "host" : featurePlacement;
  const sharers = sharersOf(input);
  return { ...matrix, roomBytes: room.deviceBytes, ...placeFeatures({ ...matrix, ...room }, { asked, sharers }) };
}

function residentLines(placed: EstimatedPlacement | null): MemoryTerm[] {
  if (!placed || placed.deviceRows === 0) return [];
  const { placement, numRows, rowBytes, deviceRows } = placed;
  if (placement === "device") return [{ what: "features that stay on the device", amount: numRows * rowBytes }];
  if (placement === "sharded") return [{ what: "features: a share", amount: shareBytes(deviceRows, rowBytes) }];
  const slots = numRows * 4;
  return [{ what: "feature rows that are read most, and where they lie", amount: deviceRows * rowBytes + slots }];
}

/** What the host pins for the device of one rank: where its driver does not pin mapped files, that is a copy. */
export function pinnedLines(placed: EstimatedPlacement | null): EstimateLine[] {
  if (!placed || (placed.placement !== "pinned" && placed.placement !== "cached")) return [];
  const what = "features pinned for the device";
  return [{ of: "memory", what, amount: placed.numRows * placed.rowBytes }];
}
