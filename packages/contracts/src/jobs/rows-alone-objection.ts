import type { Registry, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** Which of a job's settings a model that reads learned rows alone cannot follow; null: it can follow all of them. */
export function rowsAloneObjection(
  { features }: JobSpec,
  { component, options }: ResolvedTask,
  { type }: { readonly type: string },
  registry: Registry,
): TaskObjection | null {
  const { readsFeatures, randomRows } = registry.get("model", type);
  if (readsFeatures !== false || randomRows) return null;
  const { structural, transforms, embedding } = features;
  if (structural) {
    return { pointer: "/features/structural", message: `${type} reads learned rows alone; leave structural out.` };
  }
  if (transforms.length > 0) {
    return { pointer: "/features/transforms", message: `${type} reads no features; leave transforms out.` };
  }
  if (component.seeds === "nodes") {
    const message = `${type} has no weights of its own, and ${component.name} asks for one number for each class or target; choose a model with weights, such as mlp.`;
    return { pointer: "/model/type", message };
  }
  if (component.seeds === "graphs") {
    const message = `${type} learns a row for each node, and nodes of new graphs have none; choose another model.`;
    return { pointer: "/model/type", message };
  }
  const dim = component.outDim(options, { classes: [] });
  if (!embedding || embedding.dim === dim) return null;
  const message = `${type} reads the learned row of a node, which is ${embedding.dim} wide; make it ${dim} wide as task.dim is, or leave features.embedding out.`;
  return { pointer: "/features/embedding/dim", message };
}
