import type { Manifest, StepComponent } from "@hopwise/gnn-core/spec";
import type { StageTask } from "./stage-task.ts";

/**
 * How the names of the blobs begin that the ranks of a task's slice open of an input; null: all of them. The worker
 * fetches these, and its grant names them.
 *
 * @returns undefined when the step reads all of every input, also for options that the ranks will refuse
 */
export function readsOf(
  { reads, options: schema }: Pick<StepComponent, "reads" | "options">,
  { options, slice, ranks: worldSize }: Pick<StageTask, "options" | "slice" | "ranks">,
): ((input: Manifest) => readonly string[] | null) | undefined {
  const parsed = schema.safeParse(options);
  if (!reads || !parsed.success) return undefined;
  const { first: firstRank, count: ranks } = slice.ranks;
  return (input) => reads(input, parsed.data, { firstRank, ranks, worldSize });
}
