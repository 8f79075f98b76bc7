import { z } from "zod";

/** What the points of a map can be coloured by, and the array that holds it. */
const mapColumnInfo = z.object({
  name: z.string(),
  /** category: int32 codes into `names`, −1 = not known; number: float32, NaN = not known */
  type: z.enum(["category", "number"]),
  names: z.array(z.string()).default([]),
  /** Name of the artifact's blob */
  blob: z.string(),
});

/** `info` of a `projection` artifact: how the points were laid on the plane. */
export const projectionInfo = z.object({
  method: z.string(),
  /** Share of the variance that each axis explains */
  explained: z.array(z.number()).nullable().default(null),
  numPoints: z.number().int().nonnegative(),
  /** What `labels.npy` counts in; version 1 of the step wrote neither labels nor ids */
  classes: z.array(z.string()).default([]),
  /** Points that UMAP laid out too, and whose neighbours were found; before version 3 none */
  numDetailed: z.number().int().nonnegative().default(0),
  /** Nearest points that each of these has */
  numNearest: z.number().int().nonnegative().default(0),
  /** Whether there were enough of them for UMAP */
  hasUmap: z.boolean().default(false),
  /** Over how many dimensions the embeddings spread, (Σλ)² / Σλ² of their covariance's eigenvalues; null: not known */
  effectiveDim: z.number().nullable().default(null),
  columns: z.array(mapColumnInfo).default([]),
});
export type ProjectionInfo = z.infer<typeof projectionInfo>;
