import type { Registry } from "@hopwise/gnn-core/spec";
import type { TaskObjection } from "./task-objection.ts";

interface Choice {
  readonly type: string;
  readonly options: Record<string, unknown>;
}

/** Which of a job's settings a model that tells types of edges apart cannot follow; null: it can follow all of them. */
export function typedModelObjection(model: Choice, sampling: Choice, registry: Registry): TaskObjection | null {
  if (!registry.get("model", model.type).readsEdgeTypes?.(model.options)) return null;
  if (registry.get("sampler", sampling.type).keepsEdgeTypes?.(sampling.options)) return null;
  const suited = registry
    .list("sampler")
    .filter((other) => other.keepsEdgeTypes?.(other.options.parse({})))
    .map(({ name }) => name);
  const message = `${model.type} tells types of edges apart, and ${sampling.type} with these options does not keep them; choose ${suited.join(" or ")}, drawing uniformly along in-edges.`;
  return { pointer: "/sampling/type", message };
}
