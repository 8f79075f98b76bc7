import { type DatasetSpec, type TaskOptions, targetsOf } from "@hopwise/gnn-core/spec";

type Nodes = DatasetSpec["nodes"];

/** Why a dataset cannot teach a task, and the field of the job spec that says so. */
export interface TaskObjection {
  readonly pointer: string;
  readonly message: string;
}

/** What the confirmed dataset spec can already tell of a task: labels that are not there cannot be learnt. */
export function taskObjection(task: TaskOptions, nodes: Nodes): TaskObjection | null {
  if (task.type === "nodeRegression") return regressionObjection(targetsOf(task), nodes);
  return task.type === "nodeMultiLabel" ? multiLabelObjection(task.target, nodes) : classObjection(task.target, nodes);
}

function classObjection(target: string, nodes: Nodes): TaskObjection | null {
  if (hasSeveralLabels(nodes)) return wrongType("The dataset has several labels per node", "nodeMultiLabel");
  if (nodes?.label === target) return null;
  const found = nodes?.label ? `its label column is "${nodes.label}"` : "it has no label column";
  return { pointer: "/task/target", message: `The dataset has no label column "${target}": ${found}.` };
}

function multiLabelObjection(target: string, nodes: Nodes): TaskObjection | null {
  if (!nodes || !hasSeveralLabels(nodes)) {
    return wrongType("The dataset has one label per node, or none", "nodeClassification, or map several labels");
  }
  const name = nodes.label ?? nodes.labelFile?.label ?? null; // 0/1 columns have no name in common
  if (name === null || name === target) return null;
  return { pointer: "/task/target", message: `The dataset's labels come from the column "${name}", not "${target}".` };
}

function regressionObjection(wanted: readonly string[], nodes: Nodes): TaskObjection | null {
  const known = nodes?.targets ?? [];
  const missing = wanted.filter((name) => !known.includes(name));
  if (missing.length === 0) return null;
  const found = known.length > 0 ? `it has ${known.join(", ")}` : "no column is mapped as a number to predict";
  return { pointer: "/task/target", message: `The dataset has no target column ${missing.join(", ")}: ${found}.` };
}

function hasSeveralLabels(nodes: Nodes): boolean {
  return !!nodes && (nodes.labelSeparator !== null || nodes.labelColumns.length > 0 || nodes.labelFile !== null);
}

function wrongType(found: string, choose: string): TaskObjection {
  return { pointer: "/task/type", message: `${found}; choose ${choose}.` };
}
