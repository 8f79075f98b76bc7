import { z } from "zod";
import { taskOfOldArtifacts, taskSection } from "./task-section.ts";

const count = z.number().int().nonnegative();

/** `info` of an `inferred` artifact: rows of every node in GlobalId order. */
export const inferredInfo = z.object({
  numNodes: count,
  layer: z.literal("lastHidden"),
  /** Width of the embeddings */
  dim: count,
  numClasses: count,
  /** What logits are divided by for probabilities, as the model says; null: nothing */
  temperature: z.number().positive().nullable().default(null),
  task: taskSection.default(taskOfOldArtifacts),
});
/** What `remapped` artifacts say too. */
export const inferredTask = inferredInfo.pick({ task: true, temperature: true });
export type InferredInfo = z.infer<typeof inferredInfo>;
