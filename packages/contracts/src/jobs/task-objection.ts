import {
  type DatasetSpec,
  learnableColumns,
  offeredTasks,
  type Registry,
  resolveTask,
  type TaskSection,
} from "@hopwise/gnn-core/spec";

/** Why a dataset cannot teach a task, and the field of the job spec that says so. */
export interface TaskObjection {
  readonly pointer: string;
  readonly message: string;
}

/** What the confirmed dataset spec can already tell of a task: labels that are not there cannot be learnt. */
export function taskObjection(section: TaskSection, dataset: DatasetSpec, registry: Registry): TaskObjection | null {
  const { component, options } = resolveTask(section, registry);
  const found = component.check(options, learnableColumns(dataset));
  if (!found) return null;
  const { option, message, remedy } = found;
  const pointer = `/task/${option}`;
  if (option !== "type") return { pointer, message };
  const fitting = [...new Set(offeredTasks(dataset, registry).map(({ type }) => type))].join(" or ");
  const remedies = [fitting && `choose ${fitting}`, remedy].filter(Boolean);
  return { pointer, message: `${[message, remedies.join(", or ")].filter(Boolean).join("; ")}.` };
}
