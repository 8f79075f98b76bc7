import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { linkSplitChoice } from "./link-split.ts";

/** Options of the step that splits labelled edges. */
export const edgeRowsOptions = z.strictObject({
  split: linkSplitChoice,
  features: z.boolean().default(true).describe("Keeps the features of the edges, standardised by the training edges"),
  applied: z
    .strictObject({ classes: z.array(z.string()).describe("Those that the model counts in") })
    .optional()
    .describe(
      "A model is applied to the edges, and its scaling of their features; given sides are those of the dataset, which need not say any. Left out: they are learnt from",
    ),
});
export type EdgeRowsSection = z.infer<typeof edgeRowsOptions>;

/** Standardised feature = (feature − mean) / scale, column by column */
export const edgeFeatureScaling = z
  .object({ mean: z.array(z.number()), scale: z.array(z.number()) })
  .nullable()
  .default(null);

const count = z.number().int().nonnegative();

/** `info` of an artifact of kind `edgeRows`: edges with something to be predicted, and how they were told apart. */
export const splitEdgesInfo = z.object({
  numNodes: count,
  numEdges: count,
  directed: z.boolean(),
  classes: z.array(z.string()),
  targets: z.array(z.string()),
  featureDim: count,
  /** How the features were standardised; null: there are none. Absent in older artifacts */
  featureScaling: edgeFeatureScaling,
  splits: z.object({ train: count, val: count, test: count, none: count }),
  options: edgeRowsOptions,
});
export type SplitEdgesInfo = z.infer<typeof splitEdgesInfo>;

/** @throws GnnError MANIFEST_INVALID when the artifact is no `edgeRows` or its facts do not have their form */
export function parseSplitEdgesInfo({ dir, manifest }: ArtifactDir): SplitEdgesInfo {
  const parsed = splitEdgesInfo.safeParse(manifest.info);
  if (manifest.kind === "edgeRows" && parsed.success) return parsed.data;
  const found = parsed.success ? `of kind "${manifest.kind}"` : `with damaged info: ${z.prettifyError(parsed.error)}`;
  throw new GnnError("MANIFEST_INVALID", `${dir} holds an artifact ${found}; expected "edgeRows".`);
}
