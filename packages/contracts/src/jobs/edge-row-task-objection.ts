import type { Registry, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** Which of a job's settings a task on labels of edges cannot follow; null: it can follow all of them. */
export function edgeRowTaskObjection(
  { task: section, train, startFrom }: JobSpec,
  { component }: ResolvedTask,
  sampling: { readonly type: string },
  registry: Registry,
): TaskObjection | null {
  if (component.seeds !== "edgeRows") return null;
  const { name } = component;
  const refused = (pointer: string, found: string) => ({ pointer, message: `${name} ${found}` });
  if (section.inductive) {
    return refused("/task/inductive", "splits edges, and all nodes are seen in training; leave inductive out.");
  }
  if (train.evaluate.mode === "sampled") {
    return refused("/train/evaluate/mode", "is judged exactly, by all held-out edges; choose layerwise.");
  }
  if (startFrom) return refused("/startFrom", "begins with new weights; leave startFrom out.");
  const { createPass, plansEpochs } = registry.get("sampler", sampling.type);
  if (!createPass && !plansEpochs) return null;
  const suited = registry.list("sampler").filter((other) => !other.createPass && !other.plansEpochs);
  const names = suited.map((other) => other.name).join(", ");
  const found = `has ends of edges as seeds, and ${sampling.type} keeps sums or plans batches of nodes; choose one of ${names}.`;
  return refused("/sampling/type", found);
}
