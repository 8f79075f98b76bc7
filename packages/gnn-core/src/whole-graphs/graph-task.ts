import { GnnError } from "../errors/gnn-error.ts";
import type { NodeTargets } from "../graph/node-targets.ts";
import { knowsTarget } from "../graph/node-targets.ts";
import type { Activation } from "../nn/activations.ts";
import type { TaskMetrics } from "../spec/task-metrics.ts";
import { classWeights } from "../tasks/class-weights.ts";
import { labelledNodes } from "../tasks/labelled-nodes.ts";
import { classificationTask } from "../tasks/node-classification.task.ts";
import { regressionTask } from "../tasks/node-regression.task.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import { fitTargetScaling, noScaling } from "../tasks/target-scaling.ts";
import { taskKit } from "../tasks/task-kit.ts";
import { classMetrics, numberMetrics } from "../tasks/task-metrics.ts";
import type { GraphSet } from "./graph-set.ts";
import { numGraphsOf } from "./graph-set.ts";
import type { MakeReadout } from "./readouts/readout.ts";

/** What is known of each graph, and how far outputs are from it. */
export type GraphGoal =
  | {
      readonly type: "classification";
      /** int32 [numGraphs], -1 = not known */
      readonly labels: Int32Array;
      readonly numClasses: number;
      /** balanced: every class weighs the same in the loss. Default: none */
      readonly classWeights?: "none" | "balanced";
    }
  | {
      readonly type: "regression";
      /** A row for each graph, NaN = not known */
      readonly targets: NodeTargets;
      /** Default: mse */
      readonly loss?: "mse" | "mae" | "huber";
      /** Error at which huber goes from square to straight. Default: 1 */
      readonly huberDelta?: number;
      /** Learn (target − mean) / deviation of the training graphs; metrics keep the units. Default: true */
      readonly standardize?: boolean;
    };

/** What there is to learn of the graphs of a set, and how. */
export interface GraphLearning extends GraphObjective {
  /** Its `graph` is the graph of the training data. */
  readonly set: GraphSet;
  /** int8 [numGraphs], one of `splitCode` */
  readonly split: Int8Array;
}

/** What is learnt of whole graphs, and what follows the encoder. */
export interface GraphObjective {
  readonly goal: GraphGoal;
  /** Width of the encoder's output: of the rows that are read out */
  readonly dim: number;
  /** One, or several whose rows lie side by side */
  readonly readout: MakeReadout | readonly MakeReadout[];
  /** Behind the encoder's last layer, and between the layers behind the readout. Default: relu */
  readonly activation?: Activation;
  /** Width of the hidden layer behind the readout; 0: none. Default: `dim` */
  readonly hiddenFeats?: number;
  /** Share of the graphs' rows that is dropped in training. Default: 0 */
  readonly dropout?: number;
}

/** By what graphs are judged, as a task's component says it of nodes. */
export function graphJudging({ type }: GraphGoal): TaskMetrics {
  return type === "classification"
    ? { name: "classes of graphs", metrics: classMetrics, selectionMetric: "accuracy" }
    : { name: "numbers of graphs", metrics: numberMetrics, selectionMetric: "loss" };
}

/**
 * The task whose seeds are graphs: what tasks on nodes are, by the number of a graph in place of a GlobalId. Class
 * weights and scaling come from the training graphs.
 *
 * @throws GnnError SPEC_INVALID when arrays have not one entry for each graph, labels are out of range, or there is one
 * class only; TRAIN_NO_LABELS
 */
export function graphTask({ set, split, goal }: Pick<GraphLearning, "set" | "split" | "goal">): NodeTask {
  requireOneEach("split", split.length, set);
  const task = goal.type === "classification" ? classesOf(goal, split, set) : numbersOf(goal, split, set);
  if (task.seedsOf("train").length > 0) return task;
  throw new GnnError("TRAIN_NO_LABELS", "No graph of the training split has a label or number to learn.");
}

function classesOf(goal: Extract<GraphGoal, { type: "classification" }>, split: Int8Array, set: GraphSet): NodeTask {
  const { labels, numClasses } = goal;
  requireOneEach("goal/labels", labels.length, set);
  const bad = labels.findIndex((label) => label < -1 || label >= numClasses);
  if (bad >= 0) {
    const found = `graph "${set.ids[bad]}" has the label ${labels[bad]}`;
    throw refused("goal/labels", `${found}; expected −1 (not known) or 0 to ${numClasses - 1}`);
  }
  const seedsOf = labelledNodes(split, (graph) => (labels[graph] as number) >= 0);
  const train = seedsOf("train");
  const known = new Set(train.map((graph) => labels[graph] as number));
  if (known.size === 1) {
    const found = `all ${train.length} training graphs are of class ${[...known][0]}`;
    throw refused("goal/labels", `${found}, so there is nothing to tell apart; expected two classes or more`);
  }
  return classificationTask(
    labels,
    classWeights(goal.classWeights ?? "none", labels, train, numClasses),
    seedsOf,
    taskKit,
  );
}

function numbersOf(goal: Extract<GraphGoal, { type: "regression" }>, split: Int8Array, set: GraphSet): NodeTask {
  const { targets, loss = "mse", huberDelta = 1, standardize = true } = goal;
  const width = targets.names.length;
  if (width === 0) throw refused("goal/targets", "no target is named; expected at least one");
  requireOneEach("goal/targets", targets.values.length / width, set);
  const bad = targets.values.findIndex((value) => value === Infinity || value === -Infinity);
  if (bad >= 0) {
    const found = `graph "${set.ids[Math.floor(bad / width)]}" has an infinite ${targets.names[bad % width]}`;
    throw refused("goal/targets", `${found}; expected a number, or NaN where it is not known`);
  }
  const seedsOf = labelledNodes(split, (graph) => knowsTarget(targets, graph));
  const scaling = standardize ? fitTargetScaling(targets, seedsOf("train")) : noScaling(width);
  return regressionTask(targets, { loss, huberDelta, scaling }, seedsOf, taskKit);
}

function requireOneEach(what: string, found: number, set: GraphSet): void {
  const expected = numGraphsOf(set);
  if (found !== expected) throw refused(what, `it says something of ${found} graphs; expected ${expected}, one each`);
}

function refused(option: string, found: string): GnnError {
  const pointer = `/graphs/${option}`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
