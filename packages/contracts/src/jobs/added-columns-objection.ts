import type { Registry } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/**
 * Which of a job's settings cannot stand beside what is added to the features: columns made from the edges, or rows
 * that are learned of the nodes. Null: nothing is added, or all can.
 */
export function addedColumnsObjection(
  { features, task }: JobSpec,
  model: JobSpec["model"],
  sampling: JobSpec["sampling"],
  registry: Registry,
): TaskObjection | null {
  if (features.structural && task.inductive) {
    const message =
      "structural features look at every edge of the graph, which inductive training must not; leave one of the two out.";
    return { pointer: "/features/structural", message };
  }
  if (!features.embedding) return null;
  const refused = (message: string): TaskObjection => ({ pointer: "/features/embedding", message });
  if (features.structural?.method === "identity") {
    return refused("a column for each node (features.structural) stands alone; leave one of the two out.");
  }
  if (task.inductive) return refused("a node outside inductive training has no learned row; leave one of the two out.");
  const hasHops = registry.get("model", model.type).numHops(model.options) > 0;
  if (hasHops && registry.get("sampler", sampling.type).createPass) {
    return refused(`the sampler ${sampling.type} keeps what it has read of the features; choose another.`);
  }
  if (model.options["norm"] === "batch") {
    return refused('beside learned rows choose "norm": "layer" instead of batch for the model.');
  }
  return null;
}
