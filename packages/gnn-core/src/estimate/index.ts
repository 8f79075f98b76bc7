export {
  type EstimateInput,
  type EstimateLine,
  estimateJob,
  type GraphSize,
  type JobEstimate,
} from "./estimate-job.ts";
export { type EstimateSpec, estimateWithComponents } from "./estimate-with-components.ts";
