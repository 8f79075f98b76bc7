import { z } from "zod";
import { taskOfOldArtifacts, taskSection } from "./task-section.ts";

const count = z.number().int().nonnegative();

/** `info` of a `remapped` artifact: rows of every node in NodeIndex order, and the metrics counted from them. */
export const remappedInfo = z.object({
  numNodes: count,
  /** Width of the embeddings */
  dim: count,
  classes: z.array(z.string()),
  metrics: z.record(z.string(), z.number().nullable()),
  task: taskSection.default(taskOfOldArtifacts),
});
export type RemappedInfo = z.infer<typeof remappedInfo>;

/** `info` of an `exports` artifact: the formats of its files. */
export const exportsInfo = z.object({
  numNodes: count,
  dim: count,
  embeddings: z.array(z.string()),
  predictions: z.array(z.string()),
});
export type ExportsInfo = z.infer<typeof exportsInfo>;
