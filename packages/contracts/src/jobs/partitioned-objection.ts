import type { Registry } from "@hopwise/gnn-core/spec";
import type { JobSpec } from "./job-spec.ts";
import type { TaskObjection } from "./task-objection.ts";

/**
 * Which of a job's settings look at edges or rows of the whole graph, which ranks that hold a part each do not have;
 * null: none does.
 */
export function partitionedObjection(
  { resources, task, features }: JobSpec,
  sampling: { readonly type: string; readonly options: Record<string, unknown> },
  registry: Registry,
): TaskObjection | null {
  if (resources.graph !== "partitioned") return null;
  if (!registry.get("sampler", sampling.type).drawsRemotely?.(sampling.options)) {
    const message = `${sampling.type} with these options needs the whole graph on every host: use "graph": "shared", or neighbor or full along in-edges.`;
    return { pointer: "/sampling/type", message };
  }
  const refused = (pointer: string, what: string): TaskObjection => ({
    pointer,
    message: `${what} needs the whole graph on every host; use "graph": "shared".`,
  });
  if (task.inductive) return refused("/task/inductive", "inductive training");
  if (features.structural) return refused("/features/structural", "making features from edges");
  if (features.transforms.includes("standardize")) return refused("/features/transforms", "standardize");
  return null;
}
