import { comparesViews, learnsNothing, type Registry, type ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/**
 * Which of a job's settings a task that learns from all nodes cannot follow, by comparing views of the graph or by
 * random walks; null: it can follow all of them.
 */
export function allNodesTaskObjection(
  spec: JobSpec,
  task: ResolvedTask,
  model: { readonly options: Record<string, unknown> },
  { type }: { readonly type: string },
  registry: Registry,
): TaskObjection | null {
  const { component } = task;
  if (component.seeds !== "allNodes" || learnsNothing(component)) return null;
  const { name } = component;
  const { task: section, resources, train } = spec;
  if (resources.graph === "partitioned") {
    const why = comparesViews(component) ? "gives nodes the features of any other" : "walks along all edges";
    const message = `${name} ${why}, so every host needs the whole graph; use "shared".`;
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
  const ofViews = comparesViews(component) ? viewObjection(name, spec, model) : null;
  if (ofViews) return ofViews;
  const sampler = registry.get("sampler", type);
  if (!sampler.createPass && !sampler.plansEpochs) return null;
  const message = `${name} learns from batches of any nodes, and ${type} keeps sums or plans its own; choose neighbor or full.`;
  return { pointer: "/sampling/type", message };
}

function viewObjection(
  name: string,
  { features }: JobSpec,
  model: { readonly options: Record<string, unknown> },
): TaskObjection | null {
  if (features.embedding) {
    const message = `${name} compares views of the features, beside which no rows are learned; use "structural" where there are none.`;
    return { pointer: "/features/embedding", message };
  }
  if (model.options["norm"] !== "batch") return null;
  const message = `${name} must not see statistics of the batch, which tell the views apart; choose "layer" or none.`;
  return { pointer: "/model/options/norm", message };
}
