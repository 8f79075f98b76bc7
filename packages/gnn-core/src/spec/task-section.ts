import { z } from "zod";

/**
 * The `task` section of a job spec: what is learnt. A task of the catalogue by name and, beside it, that task's own
 * options, which its schema checks (`resolveTask`).
 */
export const taskSection = z.looseObject({
  type: z.string().optional().describe("Name in the catalogue"),
  inductive: z
    .boolean()
    .default(false)
    .describe("Train on the edges between training nodes alone; evaluate and infer on the whole graph"),
});
export type TaskSection = z.infer<typeof taskSection>;

/** What artifacts mean that were made before tasks were told apart: the classes of a label column. */
export const taskOfOldArtifacts: TaskSection = { target: "label", inductive: false };
