import { z } from "zod";

const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1);

/** Bins of equal width that probabilities are sorted into: bin b holds those in (b/15, (b+1)/15], as Guo et al. do. */
export const numReliabilityBins = 15;

/** How often a model is right where it is so and so sure, of the nodes of one split. */
export const reliability = z.object({
  nodes: count,
  /** Expected calibration error: Σ_b n_b/n · |accuracy_b − confidence_b| */
  ece: share,
  /** Mean −log p of the label */
  nll: z.number().nonnegative(),
  /** Bins that hold nodes, ascending; confidence is the mean probability of the predicted class */
  bins: z.array(
    z.object({ bin: count.max(numReliabilityBins - 1), count: count.min(1), confidence: share, accuracy: share }),
  ),
});
export type Reliability = z.infer<typeof reliability>;

/** The nodes of a split with the model's own probabilities, and with those at the temperature if there is one */
const calibratedSplit = z.object({ before: reliability, after: reliability.nullable() });
export type CalibratedSplit = z.infer<typeof calibratedSplit>;

/** Why no temperature was fitted. */
export const unfittedReason = z.enum(["noValidation", "allRight", "outOfRange"]);
export type UnfittedReason = z.infer<typeof unfittedReason>;

/** How far a classifier's probabilities can be trusted, and the temperature that logits are divided by for it. */
export const calibrationInfo = z.object({
  temperature: z.number().positive().nullable(),
  unfitted: unfittedReason.nullable(),
  /** Null where the split has no labelled nodes */
  val: calibratedSplit.nullable(),
  test: calibratedSplit.nullable(),
});
export type CalibrationInfo = z.infer<typeof calibrationInfo>;
