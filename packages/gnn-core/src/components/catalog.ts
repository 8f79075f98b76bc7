import { z } from "zod";
import { type ComponentKind, componentKinds } from "./component.ts";
import type { TaskComponent, TaskMetric } from "./define-task.ts";
import type { Registry } from "./registry.ts";

/** One component as the catalogue shows it: enough to draw a form and to document it. */
export interface CatalogEntry {
  readonly kind: ComponentKind;
  readonly name: string;
  readonly version: number;
  readonly title: string;
  readonly summary: string;
  readonly reference: string | null;
  /** JSON Schema (draft 2020-12) of the options, with defaults, ranges and help. */
  readonly optionsSchema: Record<string, unknown>;
  /** What a task says beside its options; null for all others */
  readonly task: TaskFacts | null;
}

/** How a task is judged, for lists, charts and forms. */
export interface TaskFacts extends Pick<TaskComponent, "name" | "title" | "seeds" | "chiefMetric" | "selectionMetric"> {
  /** Whether a spec means it that names no type */
  readonly isDefault: boolean;
  /** In the order in which results show them */
  readonly metrics: readonly Pick<TaskMetric, "name" | "title" | "direction" | "shownAs">[];
}

/** Every component with the JSON Schema of its options; forms, CLI flags and docs tables derive from it. */
export function catalogOf(registry: Registry): readonly CatalogEntry[] {
  return componentKinds.flatMap((kind) =>
    registry.list(kind).map((component) => ({
      kind,
      name: component.name,
      version: component.version,
      title: component.title,
      summary: component.summary,
      reference: component.reference ?? null,
      optionsSchema: z.toJSONSchema(component.options, { io: "input" }) as Record<string, unknown>,
      task: component.kind === "task" ? taskFacts(component) : null,
    })),
  );
}

/** What the catalogue says of a task. */
export function taskFacts(component: TaskComponent): TaskFacts {
  const { name, title, seeds, chiefMetric, selectionMetric, isDefault = false } = component;
  const metrics = component.metrics.map(({ name, title, direction, shownAs }) => ({ name, title, direction, shownAs }));
  return { name, title, seeds, isDefault, metrics, chiefMetric, selectionMetric };
}
