import { storedAs } from "../features/feature-dtype.ts";
import { type FeatureRoom, type PlacedFeatures, placeFeatures } from "../host/feature-placement.ts";
import { type BatchSize, type MemoryTerm, stepTerms } from "../host/step-memory.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** Dense features that are placed for a device, and where */
export interface EstimatedPlacement extends PlacedFeatures {
  readonly numRows: number;
  /** As they are stored */
  readonly rowBytes: number;
  /** What is left for them of the device's memory */
  readonly roomBytes: number;
}

/**
 * What a rank needs of the memory of a device that it has to itself. Dense features lie where `placeFeatures` says;
 * where ranks hold parts of the graph, rows go up batch by batch.
 */
export function deviceLines(
  input: EstimateInput,
  batch: BatchSize,
  { deviceBytes, hostBytes }: Pick<FeatureRoom, "deviceBytes" | "hostBytes">,
): { lines: EstimateLine[]; placed: EstimatedPlacement | null } {
  const { graph, learnedRows } = input;
  const lines = stepTerms({ ...input, inDim: graph.features.dim + (learnedRows?.dim ?? 0) }, batch);
  const roomBytes = Math.max(0, deviceBytes - lines.reduce((sum, { amount }) => sum + amount, 0));
  const placed = placementOf(input, { deviceBytes: roomBytes, hostBytes });
  const resident = residentLines(placed);
  return { lines: [...lines, ...resident].map((line) => ({ of: "deviceMemory", ...line })), placed };
}

function placementOf(
  { graph, featureDtype = "fp32", isPartitioned, featurePlacement = "auto" }: EstimateInput,
  room: Pick<FeatureRoom, "deviceBytes" | "hostBytes">,
): EstimatedPlacement | null {
  const { kind, dim } = graph.features;
  if (kind !== "dense" || dim === 0) return null;
  const matrix = { numRows: graph.numNodes, rowBytes: dim * storedAs[featureDtype].bytes };
  const asked = isPartitioned ? "host" : featurePlacement;
  return { ...matrix, roomBytes: room.deviceBytes, ...placeFeatures({ ...matrix, ...room }, { asked }) };
}

function residentLines(placed: EstimatedPlacement | null): MemoryTerm[] {
  if (!placed || placed.deviceRows === 0) return [];
  const { placement, numRows, rowBytes, deviceRows } = placed;
  if (placement === "device") return [{ what: "features that stay on the device", amount: numRows * rowBytes }];
  const slots = numRows * 4;
  return [{ what: "feature rows that are read most, and where they lie", amount: deviceRows * rowBytes + slots }];
}

/** What the host pins for the device of one rank: where its driver does not pin mapped files, that is a copy. */
export function pinnedLines(placed: EstimatedPlacement | null): EstimateLine[] {
  if (!placed || (placed.placement !== "pinned" && placed.placement !== "cached")) return [];
  const what = "features pinned for the device";
  return [{ of: "memory", what, amount: placed.numRows * placed.rowBytes }];
}
