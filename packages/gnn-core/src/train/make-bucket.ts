import { activeCuda } from "../backends/active-cuda.ts";
import type { DeviceSums } from "../dist/device-sums.ts";
import type { GnnModel } from "../nn/model.ts";
import { DeviceBucket } from "./device-bucket.ts";
import { GradientBucket } from "./gradient-bucket.ts";

/**
 * The bucket of a model's gradients, where its tensors lie.
 *
 * @param hostReduces  whether something beside the gradients goes through the host's memory in each step, such as
 *                     statistics and rows that several ranks share, and learnable input rows that the host
 *                     keeps: then the bucket lies there, too
 * @param deviceSums   adds up what the ranks' devices have; null: the collective of their hosts does
 */
export function makeBucket(
  model: GnnModel,
  hostReduces: boolean,
  deviceSums: DeviceSums | null = null,
): GradientBucket | DeviceBucket {
  const shapes = model.variables.map(({ name, variable }) => ({ name, shape: variable.shape }));
  const cuda = activeCuda();
  return cuda && !hostReduces ? new DeviceBucket(cuda, shapes, deviceSums) : new GradientBucket(shapes);
}
