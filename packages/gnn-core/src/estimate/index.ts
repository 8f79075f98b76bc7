export { type FeaturePlacement, featurePlacements, placementWords } from "../host/feature-placement.ts";
export { type SamplingPlace, samplingWords } from "../host/graph-placement.ts";
export { joinedDevicesWords, type LearnedPlacement, learnedPlacementWords } from "../host/learned-placement.ts";
export type { EstimatedPlacement } from "./device-memory.ts";
export {
  type EstimatedDevice,
  type EstimateInput,
  type EstimateLine,
  estimateJob,
  type GraphSize,
  type JobEstimate,
  type LearnedRowsSize,
} from "./estimate-job.ts";
export { type EstimateResources, type EstimateSpec, estimateWithComponents } from "./estimate-with-components.ts";
export { type CutGraph, expectedRemoteReads } from "./remote-reads.ts";
export { type FinishedJob, scaleTime, type TimeScale } from "./scale-time.ts";
