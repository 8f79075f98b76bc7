import type { DatasetSpec } from "@hopwise/contracts";

/** A task that a dataset's columns allow, as the form offers it. */
export interface TaskChoice {
  readonly label: string;
  /** The `task` section of a job spec */
  readonly task: { readonly type?: string; readonly target: string | readonly string[] };
}

/** Specs of earlier versions lack what was added since. */
type Nodes = Partial<NonNullable<DatasetSpec["nodes"]>>;

/** What can be learnt from a dataset, classes before numbers; never empty. */
export function taskChoices(spec: DatasetSpec | null): readonly [TaskChoice, ...TaskChoice[]] {
  const nodes: Nodes = spec?.nodes ?? {};
  const choices = [...labelChoices(nodes), ...targetChoices(nodes.targets ?? [])];
  const [first, ...others] = choices;
  return first ? [first, ...others] : [{ label: "Classes", task: { target: "label" } }];
}

function labelChoices({ label, labelSeparator, labelColumns = [], labelFile }: Nodes): TaskChoice[] {
  const several = (target: string) => [
    { label: `Several labels per node: ${target}`, task: { type: "nodeMultiLabel", target } },
  ];
  if (labelFile) return several(labelFile.label);
  if (labelColumns.length > 0) return several("labels");
  if (!label) return [];
  return labelSeparator ? several(label) : [{ label: `Class: ${label}`, task: { target: label } }];
}

/** Each number on its own, and all of them together. */
function targetChoices(targets: readonly string[]): TaskChoice[] {
  const single = targets.map((target) => ({
    label: `Number: ${target}`,
    task: { type: "nodeRegression", target },
  }));
  const all = { label: `Numbers: ${targets.join(", ")}`, task: { type: "nodeRegression", target: targets } };
  return targets.length > 1 ? [...single, all] : single;
}

/** The choice that a spec's task section is, by type and target. */
export function chosenTask(choices: readonly TaskChoice[], task: unknown): TaskChoice | null {
  const { type, target } = (task ?? {}) as { type?: unknown; target?: unknown };
  const key = (of: { type?: unknown; target?: unknown }) =>
    JSON.stringify([of.type ?? "nodeClassification", of.target]);
  return choices.find((choice) => key(choice.task) === key({ type, target })) ?? null;
}

/** A task section whose type was changed in the form, with the target that the dataset has for it. */
export function withTarget(
  choices: readonly TaskChoice[],
  task: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (!task || task["target"] !== undefined) return task;
  const fitting = choices.find((choice) => (choice.task.type ?? "nodeClassification") === task["type"]);
  return { ...task, target: fitting?.task.target ?? "label" };
}
