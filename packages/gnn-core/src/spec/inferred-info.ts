import { z } from "zod";
import { taskOptions } from "./task-options.ts";

const count = z.number().int().nonnegative();

/** `info` of an `inferred` artifact: rows of every node in GlobalId order. */
export const inferredInfo = z.object({
  numNodes: count,
  layer: z.literal("lastHidden"),
  /** Width of the embeddings */
  dim: count,
  numClasses: count,
  /** Artifacts made before tasks were told apart are classifications. */
  task: taskOptions.default(taskOptions.parse({ target: "label" })),
});
/** The task alone, which `remapped` artifacts say too. */
export const inferredTask = inferredInfo.pick({ task: true });
export type InferredInfo = z.infer<typeof inferredInfo>;
