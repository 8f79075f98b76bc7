import { activeCuda } from "../backends/active-cuda.ts";
import type { GnnModel } from "../nn/model.ts";
import { hasBatchNorm } from "./batch-norm-step.ts";
import { DeviceBucket } from "./device-bucket.ts";
import { GradientBucket } from "./gradient-bucket.ts";

/**
 * The bucket of a model's gradients, where its tensors lie. Statistics of the whole batch, rows that several ranks
 * compare and learnable input rows are reduced and pushed by the host: beside them the bucket lies in its memory,
 * whatever the backend.
 *
 * @param sharesRows whether rows go between the ranks beside the gradients
 */
export function makeBucket(model: GnnModel, sharesRows: boolean): GradientBucket | DeviceBucket {
  const shapes = model.variables.map(({ name, variable }) => ({ name, shape: variable.shape }));
  const cuda = activeCuda();
  return cuda && !hasBatchNorm(model) && !sharesRows ? new DeviceBucket(cuda, shapes) : new GradientBucket(shapes);
}
