import { GnnError } from "../errors/gnn-error.ts";
import { knowsTarget, type NodeTargets } from "../graph/node-targets.ts";
import type { TaskMetrics } from "../spec/task-metrics.ts";
import { classWeights } from "./class-weights.ts";
import { labelledNodes } from "./labelled-nodes.ts";
import { classificationTask } from "./node-classification.task.ts";
import { regressionTask } from "./node-regression.task.ts";
import type { NodeTask } from "./node-task.ts";
import { fitTargetScaling, noScaling } from "./target-scaling.ts";
import { taskKit } from "./task-kit.ts";
import { classMetrics, numberMetrics } from "./task-metrics.ts";

/** What is known of each of some things that are no nodes, and how far outputs are from it. */
export type Goal =
  | {
      readonly type: "classification";
      /** int32, one for each, -1 = not known */
      readonly labels: Int32Array;
      readonly numClasses: number;
      /** balanced: every class weighs the same in the loss. Default: none */
      readonly classWeights?: "none" | "balanced";
    }
  | {
      readonly type: "regression";
      /** A row for each, NaN = not known */
      readonly targets: NodeTargets;
      /** Default: mse */
      readonly loss?: "mse" | "mae" | "huber";
      /** Error at which huber goes from square to straight. Default: 1 */
      readonly huberDelta?: number;
      /** Learn (target − mean) / deviation of what is trained on; metrics keep the units. Default: true */
      readonly standardize?: boolean;
    };

/** What a goal is of: graphs of a set, or rows of edges. */
export interface GoalSubjects {
  readonly one: "graph" | "edge";
  readonly count: number;
  /** How messages call one of them */
  readonly nameOf: (subject: number) => string;
}

/** By what a goal is judged, as a task's component says it of nodes. */
export function goalJudging({ type }: Goal, one: GoalSubjects["one"]): TaskMetrics {
  return type === "classification"
    ? { name: `classes of ${one}s`, metrics: classMetrics, selectionMetric: "accuracy" }
    : { name: `numbers of ${one}s`, metrics: numberMetrics, selectionMetric: "loss" };
}

/**
 * The task whose seeds are no nodes: what tasks on nodes are, by the number of a subject in place of a GlobalId. Class
 * weights and scaling come from the training split.
 *
 * @param split int8, one of `splitCode` for each subject
 * @throws GnnError SPEC_INVALID when arrays have not one entry for each subject, labels are out of range, or there is
 * one class only; TRAIN_NO_LABELS
 */
export function goalTask(goal: Goal, split: Int8Array, subjects: GoalSubjects): NodeTask {
  requireOneEach("split", split.length, subjects);
  const task = goal.type === "classification" ? classesOf(goal, split, subjects) : numbersOf(goal, split, subjects);
  if (task.seedsOf("train").length > 0) return task;
  throw new GnnError("TRAIN_NO_LABELS", `No ${subjects.one} of the training split has a label or number to learn.`);
}

function classesOf(goal: Extract<Goal, { type: "classification" }>, split: Int8Array, subjects: GoalSubjects) {
  const { labels, numClasses } = goal;
  requireOneEach("goal/labels", labels.length, subjects);
  const bad = labels.findIndex((label) => label < -1 || label >= numClasses);
  if (bad >= 0) {
    const found = `${subjects.nameOf(bad)} has the label ${labels[bad]}`;
    throw refused(subjects, "goal/labels", `${found}; expected −1 (not known) or 0 to ${numClasses - 1}`);
  }
  const seedsOf = labelledNodes(split, (subject) => (labels[subject] as number) >= 0);
  const train = seedsOf("train");
  const known = new Set(train.map((subject) => labels[subject] as number));
  if (known.size === 1) {
    const found = `all ${train.length} training ${subjects.one}s are of class ${[...known][0]}`;
    throw refused(subjects, "goal/labels", `${found}, so there is nothing to tell apart; expected two classes or more`);
  }
  const weights = classWeights(goal.classWeights ?? "none", labels, train, numClasses);
  return classificationTask(labels, weights, seedsOf, taskKit);
}

function numbersOf(goal: Extract<Goal, { type: "regression" }>, split: Int8Array, subjects: GoalSubjects): NodeTask {
  const { targets, loss = "mse", huberDelta = 1, standardize = true } = goal;
  const width = targets.names.length;
  if (width === 0) throw refused(subjects, "goal/targets", "no target is named; expected at least one");
  requireOneEach("goal/targets", targets.values.length / width, subjects);
  const bad = targets.values.findIndex((value) => value === Infinity || value === -Infinity);
  if (bad >= 0) {
    const found = `${subjects.nameOf(Math.floor(bad / width))} has an infinite ${targets.names[bad % width]}`;
    throw refused(subjects, "goal/targets", `${found}; expected a number, or NaN where it is not known`);
  }
  const seedsOf = labelledNodes(split, (subject) => knowsTarget(targets, subject));
  const scaling = standardize ? fitTargetScaling(targets, seedsOf("train")) : noScaling(width);
  return regressionTask(targets, { loss, huberDelta, scaling }, seedsOf, taskKit);
}

function requireOneEach(what: string, found: number, subjects: GoalSubjects): void {
  const { count, one } = subjects;
  if (found === count) return;
  throw refused(subjects, what, `it says something of ${found} ${one}s; expected ${count}, one each`);
}

function refused({ one }: GoalSubjects, option: string, found: string): GnnError {
  const pointer = `/${one}s/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
