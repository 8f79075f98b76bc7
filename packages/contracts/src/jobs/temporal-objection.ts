import type { Registry, ResolvedTask } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/** Which of a job's settings a sampler that draws from before a link cannot follow; null: it can follow all of them. */
export function temporalObjection(
  { features }: JobSpec,
  { component, options }: ResolvedTask,
  { type }: { readonly type: string },
  registry: Registry,
): TaskObjection | null {
  if (!registry.get("sampler", type).needsTimes) return null;
  if (component.seeds !== "edges") {
    const message = `${type} draws from before the time of a link, and ${component.name} learns no links; choose neighbor.`;
    return { pointer: "/sampling/type", message };
  }
  if (component.split(options).split.type !== "time") {
    const message = `${type} draws from before the time of a link: hold out the newest links ("split": {"type": "time"}), or choose neighbor.`;
    return { pointer: "/task/split/type", message };
  }
  if (features.structural) {
    const message = `columns made from all edges would tell of those that come after a link, which ${type} leaves out; have rows learned ("features": {"embedding": {}}), or map features.`;
    return { pointer: "/features/structural", message };
  }
  return null;
}
