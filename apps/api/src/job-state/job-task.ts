import { type Registry, type TaskFacts, taskFacts } from "@hopwise/gnn-core/spec";
import { taskSectionOf } from "../database/stored-json.ts";

/** How what a job learns is judged; null: it learns nothing, or its task is not installed any more. */
export function taskOfJob(
  job: { readonly kind: string; readonly spec: unknown },
  registry: Registry,
): TaskFacts | null {
  const section = taskSectionOf(job);
  if (!section) return null;
  const isMeant = ({ name, isDefault = false }: { readonly name: string; readonly isDefault?: boolean }) =>
    section.type === undefined ? isDefault : name === section.type;
  const component = registry.list("task").find(isMeant);
  return component ? taskFacts(component) : null;
}
