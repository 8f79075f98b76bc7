import type { Registry, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** Which of a job's settings a task that compares views of the graph cannot follow; null: it can follow all of them. */
export function contrastTaskObjection(
  { task: section, features, resources, train }: JobSpec,
  { component }: ResolvedTask,
  model: { readonly options: Record<string, unknown> },
  { type }: { readonly type: string },
  registry: Registry,
): TaskObjection | null {
  if (component.seeds !== "allNodes") return null;
  const { name } = component;
  if (resources.graph === "partitioned") {
    const message = `${name} gives nodes the features of any other, so every host needs the whole graph; use "shared".`;
    return { pointer: "/resources/graph", message };
  }
  if (section.inductive) {
    const message = `${name} learns from every node, so none can be left out; leave inductive out.`;
    return { pointer: "/task/inductive", message };
  }
  if (train.evaluate.mode === "sampled") {
    const message = `${name} is judged by the loss of all nodes; choose layerwise.`;
    return { pointer: "/train/evaluate/mode", message };
  }
  if (features.embedding) {
    const message = `${name} compares views of the features, beside which no rows are learned; use "structural" where there are none.`;
    return { pointer: "/features/embedding", message };
  }
  if (model.options["norm"] === "batch") {
    const message = `${name} must not see statistics of the batch, which tell the views apart; choose "layer" or none.`;
    return { pointer: "/model/options/norm", message };
  }
  const sampler = registry.get("sampler", type);
  if (!sampler.createPass && !sampler.plansEpochs) return null;
  const message = `${name} compares batches of any nodes, and ${type} keeps sums or plans its own; choose neighbor or full.`;
  return { pointer: "/sampling/type", message };
}
