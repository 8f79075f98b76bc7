import { z } from "zod";

const evaluation = z.object({ epoch: z.number().int(), metric: z.number() });

/** `info` of a `checkpoint` artifact: everything of the trainer's state that is not a tensor. */
export const checkpointInfo = z.object({
  version: z.literal(2),
  /** Epochs and steps finished */
  epoch: z.number().int().nonnegative(),
  step: z.number().int().nonnegative(),
  best: evaluation.nullable(),
  /** The evaluation behind each `best-<i>.safetensors`, best first */
  kept: z.array(evaluation),
  badEvaluations: z.number().int().nonnegative(),
  specDigest: z.string(),
  /** It leaves out the number of epochs: who asks for more may go on; absent in older checkpoints */
  continuationDigest: z.string().optional(),
});
export type CheckpointInfo = z.infer<typeof checkpointInfo>;
