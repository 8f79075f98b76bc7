import type { z } from "zod";
import type { TrainingData } from "../graph/training-data.ts";
import type { DatasetSpec } from "../io/dataset-spec.ts";
import type { KnownNodes, PredictionColumns } from "../tasks/known-nodes.ts";
import type { NodeJudge, NodeTask } from "../tasks/node-task.ts";
import type { TaskKit } from "../tasks/task-kit.ts";
import type { ComponentBase } from "./component.ts";

/** A figure that a task is judged by. */
export interface TaskMetric {
  /** What stands behind the split in events and manifests: `val/<name>` */
  readonly name: string;
  readonly title: string;
  /** Whether the most or the least is best */
  readonly direction: "max" | "min";
  /** percent: a share of 1; figure: a number as it is */
  readonly shownAs: "percent" | "figure";
  /** It needs the scores of all nodes in order, so it is computed only where it decides, and at the end. */
  readonly isRanking?: boolean;
  /** It is counted once more from the files that were written: neither weights nor scaling of the loss change it. */
  readonly isRecounted?: boolean;
}

/** Something that a dataset lets one learn, as the form offers it. */
export interface TaskChoice<Options = Record<string, unknown>> {
  readonly label: string;
  readonly options: Options;
}

/** What is wrong with one of a task's options, or with the choice of the task itself (`type`). */
export interface TaskObjection {
  readonly option: string;
  /** A whole sentence; for `type` what was found, without an end: the tasks that would do are named behind it. */
  readonly message: string;
  /** For `type`: what else could be done than to choose another task */
  readonly remedy?: string;
}

/** What a graph's manifest says of what can be learnt. */
export interface LearnableGraph {
  readonly classes: readonly string[];
}

/** What is learnt of a graph: everything that differs between classes, several labels and numbers. */
export interface TaskComponent<O extends z.ZodObject = z.ZodObject> extends ComponentBase<O> {
  readonly kind: "task";
  /** What a spec means that names no type. One task is it. */
  readonly isDefault?: boolean;
  /** What is learnt from one after the other: what batches are drawn of, and splits and metrics count */
  readonly seeds: "nodes";
  /** In the order in which results show them */
  readonly metrics: readonly TaskMetric[];
  /** Name of the metric that stands for the result in lists */
  readonly chiefMetric: string;
  /** Name of the metric that decides about the best weights and early stopping unless the spec names another */
  readonly selectionMetric: string;
  /** Options that have no meaning for data in memory, which have no columns, and the values they get there. */
  readonly inMemory?: Partial<z.input<O>>;
  /** What the confirmed columns of a dataset let one learn; empty: nothing of this kind. */
  readonly choices: (dataset: DatasetSpec) => readonly TaskChoice<z.input<O>>[];
  /** Whether the confirmed columns have what the options name, asked before anything runs. */
  readonly check: (options: z.infer<O>, dataset: DatasetSpec) => TaskObjection | null;
  /** Whether the graph that was built from them can teach it; left out: always. */
  readonly checkGraph?: (options: z.infer<O>, graph: LearnableGraph) => TaskObjection | null;
  /** Width of the model's output */
  readonly outDim: (options: z.infer<O>, graph: LearnableGraph) => number;
  /**
   * The task on some data: seeds, loss, tally and ranking, with weights and scaling fitted to the training seeds. `kit`
   * carries losses and tensors, so that this file needs no tensor import and the catalogue can be read without native
   * code.
   *
   * @throws GnnError SPEC_INVALID when the data have not what is to be learnt
   */
  readonly create: (options: z.infer<O>, data: TrainingData, kit: TaskKit) => NodeTask | Promise<NodeTask>;
  /** Counts the metrics with `isRecounted` from predictions in files. */
  readonly judge: (options: z.infer<O>, nodes: KnownNodes, kit: TaskKit) => NodeJudge | Promise<NodeJudge>;
  /** The columns of exported predictions, behind id and split. */
  readonly columns: (options: z.infer<O>, nodes: KnownNodes) => PredictionColumns | Promise<PredictionColumns>;
}

/** Declares a task. One per file, exported from `tasks/<name>.task.ts`. */
export function defineTask<O extends z.ZodObject>(task: Omit<TaskComponent<O>, "kind">): TaskComponent<O> {
  return { kind: "task", ...task };
}
