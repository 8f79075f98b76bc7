import type { Registry, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** Which of a job's settings a task on edges cannot follow; null: it can follow all of them. */
export function edgeTaskObjection(
  { task: section, resources, train }: JobSpec,
  { component }: ResolvedTask,
  sampling: { readonly type: string; readonly options: Record<string, unknown> },
  registry: Registry,
): TaskObjection | null {
  if (component.seeds !== "edges") return null;
  const { name } = component;
  if (resources.samplers > 0 && registry.get("sampler", sampling.type).needsTimes) {
    const message = `${sampling.type} draws from before the time of each link, which the ranks do themselves; set samplers to 0.`;
    return { pointer: "/resources/samplers", message };
  }
  if (section.inductive) {
    const message = `${name} splits links, and all nodes are seen in training; leave inductive out.`;
    return { pointer: "/task/inductive", message };
  }
  if (train.evaluate.mode === "sampled") {
    const message = `${name} is judged exactly, by all kept pairs; choose layerwise.`;
    return { pointer: "/train/evaluate/mode", message };
  }
  return samplerObjection(name, sampling, registry);
}

function samplerObjection(
  task: string,
  { type, options }: { readonly type: string; readonly options: Record<string, unknown> },
  registry: Registry,
): TaskObjection | null {
  const { suitsEdges, needsTimes } = registry.get("sampler", type);
  // What draws from before a link has none of its edges to take out.
  if (needsTimes || suitsEdges?.(options)) return null;
  const suited = registry
    .list("sampler")
    .filter((other) => other.suitsEdges?.(other.options.parse({})))
    .map(({ name }) => name);
  const message = `${task} takes links out of what was drawn, which draws of ${type} with these options do not allow; choose ${suited.join(" or ")}, drawing uniformly.`;
  return { pointer: "/sampling/type", message };
}
