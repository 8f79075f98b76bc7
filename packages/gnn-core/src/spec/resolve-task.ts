import type { z } from "zod";
import type { TaskChoice, TaskComponent } from "../components/define-task.ts";
import type { Registry } from "../components/registry.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { areFacts, type LearnableColumns, learnableColumns } from "../io/dataset-labels.ts";
import type { DatasetSpec } from "../io/dataset-spec.ts";
import type { TaskSection } from "./task-section.ts";

/** A `task` section with its component and every default filled in. */
export interface ResolvedTask {
  readonly component: TaskComponent;
  /** The component's own options */
  readonly options: Record<string, unknown>;
  /** The whole section: type, options, and what all tasks have */
  readonly section: TaskSection & { readonly type: string };
}

/**
 * The component that a `task` section names; without a type the default task.
 *
 * @throws GnnError COMPONENT_UNKNOWN
 */
export function taskComponentOf({ type }: { readonly type?: string | undefined }, registry: Registry): TaskComponent {
  return type === undefined ? defaultTask(registry) : registry.get("task", type);
}

/** A `task` section read by its component's own schema. */
export function parseTask(
  section: TaskSection,
  component: TaskComponent,
):
  | { readonly resolved: ResolvedTask; readonly error?: never }
  | { readonly error: z.ZodError; readonly resolved?: never } {
  const { type: _, inductive, ...given } = section;
  const parsed = component.options.safeParse(given);
  if (!parsed.success) return { error: parsed.error };
  const options = parsed.data;
  return { resolved: { component, options, section: { type: component.name, ...options, inductive } } };
}

/** @throws GnnError COMPONENT_UNKNOWN, SPEC_INVALID with the pointer of the option that is wrong */
export function resolveTask(section: TaskSection, registry: Registry): ResolvedTask {
  const { resolved, error } = parseTask(section, taskComponentOf(section, registry));
  if (!error) return resolved;
  const [issue] = error.issues;
  const pointer = `/${["task", ...(issue?.path ?? [])].join("/")}`;
  throw new GnnError("SPEC_INVALID", `${pointer}: ${issue?.message}`, { cause: error, place: { pointer } });
}

/** A choice with the `task` section of a job spec that makes it; the default task goes without its name. */
export interface OfferedTask {
  readonly label: string;
  readonly type: string;
  readonly task: Readonly<Record<string, unknown>>;
}

/**
 * What the confirmed columns of a dataset let one learn: the default task first, other columns of the nodes, then what
 * needs no label: embeddings, and at last links. Links go before embeddings where the dataset is made for them.
 */
export function offeredTasks(dataset: DatasetSpec, registry: Registry): readonly OfferedTask[] {
  const places = { nodes: 1, graphs: 1, edgeRows: 1, allNodes: 2, edges: 3 } as const;
  const columns = learnableColumns(dataset);
  const linksFirst = areForLinks(columns);
  const place = ({ isDefault, seeds }: TaskComponent) => {
    if (isDefault) return 0;
    return linksFirst && seeds === "edges" ? 1 : places[seeds];
  };
  const tasks = registry.list("task").toSorted((a, b) => place(a) - place(b));
  return tasks.flatMap((task) => task.choices(columns).map((choice) => offered(task, choice)));
}

/** It says which of its links are held out, or has nothing but facts. */
function areForLinks(columns: LearnableColumns): boolean {
  const { split, splitFiles } = columns.links;
  return split !== null || splitFiles !== null || areFacts(columns);
}

function offered({ name, isDefault }: TaskComponent, { label, options }: TaskChoice): OfferedTask {
  return { label, type: name, task: isDefault ? options : { type: name, ...options } };
}

/** @throws GnnError COMPONENT_UNKNOWN */
function defaultTask(registry: Registry): TaskComponent {
  const found = registry.list("task").find(({ isDefault }) => isDefault);
  if (found) return found;
  throw new GnnError("COMPONENT_UNKNOWN", 'There is no default task: name one in "task": {"type": …}.');
}
