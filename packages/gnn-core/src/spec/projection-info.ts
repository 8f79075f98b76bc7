import { z } from "zod";

/** `info` of a `projection` artifact: how the points were laid on the plane. */
export const projectionInfo = z.object({
  method: z.string(),
  /** Share of the variance that each axis explains */
  explained: z.array(z.number()).nullable().default(null),
  numPoints: z.number().int().nonnegative(),
  /** What `labels.npy` counts in; version 1 of the step wrote neither labels nor ids */
  classes: z.array(z.string()).default([]),
});
export type ProjectionInfo = z.infer<typeof projectionInfo>;
