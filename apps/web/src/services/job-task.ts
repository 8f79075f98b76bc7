import type { readyDatasetsQuery } from "./documents/new-job.ts";
import type { ResultOf } from "./graphql.ts";

type Version = NonNullable<ResultOf<typeof readyDatasetsQuery>["datasets"]["edges"][number]["node"]["newestReady"]>;

/** A task that a dataset's columns allow, as the API offers it; without a type it is the default task. */
export interface TaskChoice extends Omit<Version["tasks"][number], "task"> {
  /** The `task` section of a job spec */
  readonly task: Readonly<Record<string, unknown>>;
}

/** The choice that a spec's task section is: by type, and by all that the choice says beside it. */
export function chosenTask(choices: readonly TaskChoice[], task: unknown): TaskChoice | null {
  const section = (task ?? {}) as Readonly<Record<string, unknown>>;
  const type = typeOf(section, choices);
  const isMeant = (choice: TaskChoice) =>
    choice.type === type &&
    Object.entries(choice.task).every(
      ([name, value]) => name === "type" || JSON.stringify(section[name]) === JSON.stringify(value),
    );
  return choices.find(isMeant) ?? null;
}

/** What says, of a task on links, which question it asks. */
const partsOfQuestion = ["relations", "rankAmong", "split"];

/** What a task asks, without how it is learnt: presets are proposed for it. Null: none of the choices. */
export function questionOf(choices: readonly TaskChoice[], task: unknown): Readonly<Record<string, unknown>> | null {
  const choice = chosenTask(choices, task);
  if (!choice) return null;
  const said = Object.entries(task ?? {}).filter(([name]) => partsOfQuestion.includes(name));
  return { ...choice.task, ...Object.fromEntries(said) };
}

/** Whether a task learns a column of the nodes; tasks on edges need none. */
export function hasTarget({ task }: { readonly task: unknown }): boolean {
  return "target" in (task as object);
}

/** A task section whose type was changed in the form, with the columns that the dataset has for it. */
export function withColumns(
  choices: readonly TaskChoice[],
  task: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (!task) return undefined;
  const fitting = choices.find(({ type }) => type === typeOf(task, choices));
  return { ...fitting?.task, ...task };
}

function typeOf(task: Readonly<Record<string, unknown>>, choices: readonly TaskChoice[]): unknown {
  return task["type"] ?? choices.find((choice) => choice.task["type"] === undefined)?.type;
}
