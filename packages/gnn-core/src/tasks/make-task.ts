import { GnnError } from "../errors/gnn-error.ts";
import type { LabelSets } from "../graph/label-sets.ts";
import { knowsTarget, type NodeTargets, selectTargets } from "../graph/node-targets.ts";
import { splitCode } from "../graph/split-nodes.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { type TaskOptions, targetsOf } from "../spec/task-options.ts";
import { baseLogOdds } from "./base-log-odds.ts";
import { classWeights } from "./class-weights.ts";
import { classificationTask } from "./classification.ts";
import { multiLabelTask } from "./multi-label.ts";
import type { NodeTask } from "./node-task.ts";
import { labelMembers, positiveWeights } from "./positive-weights.ts";
import { regressionTask } from "./regression.ts";
import { fitTargetScaling, noScaling } from "./target-scaling.ts";

/** A task on its graph, with the nodes it learns from. */
export interface FittedTask {
  readonly task: NodeTask;
  /** GlobalIds of the labelled nodes of the training split, ascending */
  readonly trainNodes: Int32Array;
}

/**
 * Builds the task of a spec on some data; weights and scaling come from the training nodes.
 *
 * @throws GnnError SPEC_INVALID when the data have not what the task learns, or labels out of range; TRAIN_NO_LABELS
 */
export function makeTask(options: TaskOptions, data: TrainingData): FittedTask {
  if (options.type === "nodeMultiLabel") {
    const sets = setsOf(data);
    const trainNodes = labelledNodes(data, (node) => sets.known[node] === 1);
    const weights = positiveWeights(options.classWeights, sets, trainNodes);
    const start = baseLogOdds(labelMembers(sets, trainNodes), trainNodes.length, weights);
    return { task: multiLabelTask(sets, weights, options.threshold, start), trainNodes };
  }
  if (options.type === "nodeRegression") {
    const targets = numbersOf(data, targetsOf(options));
    const trainNodes = labelledNodes(data, (node) => knowsTarget(targets, node));
    const scaling = options.standardize ? fitTargetScaling(targets, trainNodes) : noScaling(targets.names.length);
    return { task: regressionTask(targets, scaling, options), trainNodes };
  }
  const { labels, numClasses } = classesOf(data);
  const trainNodes = labelledNodes(data, (node) => (labels[node] as number) >= 0);
  const weights = classWeights(options.classWeights, labels, trainNodes, numClasses);
  return { task: classificationTask(labels, weights), trainNodes };
}

function classesOf({ labels, numClasses = 0, labelSets }: TrainingData): { labels: Int32Array; numClasses: number } {
  if (!labels || labelSets) {
    const found = labelSets ? "has several labels per node: choose nodeMultiLabel" : "has no labels";
    throw unsuitable(`nodeClassification needs one label per node, and the dataset ${found}.`);
  }
  const bad = labels.findIndex((label) => label >= numClasses);
  if (bad < 0) return { labels, numClasses };
  throw unsuitable(`Node ${bad} has the label ${labels[bad]}; there are ${numClasses} classes, numbered from 0.`);
}

function setsOf({ labelSets }: TrainingData): LabelSets {
  if (!labelSets) {
    throw unsuitable(
      "nodeMultiLabel needs several labels per node: map the label column with a separator, several 0/1 columns or a file of labels.",
    );
  }
  const bad = labelSets.indices.findIndex((label) => label < 0 || label >= labelSets.numClasses);
  if (bad < 0) return labelSets;
  const found = `A node has the label ${labelSets.indices[bad]}`;
  throw unsuitable(`${found}; there are ${labelSets.numClasses} classes, numbered from 0.`);
}

function numbersOf({ targets }: TrainingData, columns: readonly string[]): NodeTargets {
  const selected = targets && selectTargets(targets, columns);
  if (!selected) {
    const known = targets && targets.names.length > 0 ? `it has ${targets.names.join(", ")}` : "it has none";
    throw unsuitable(`The dataset has no target column ${columns.join(", ")}: ${known}.`, "/task/target");
  }
  const bad = selected.values.findIndex((value) => value === Infinity || value === -Infinity);
  if (bad < 0) return selected;
  const node = Math.floor(bad / columns.length);
  throw unsuitable(`Node ${node} has an infinite ${columns[bad % columns.length]}.`, "/task/target");
}

function labelledNodes({ split }: TrainingData, isLabelled: (node: number) => boolean): Int32Array {
  const nodes = Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train && isLabelled(node));
  if (nodes.length > 0) return nodes;
  throw new GnnError(
    "TRAIN_NO_LABELS",
    "No node of the training split has a label; map the label and split columns, or choose a random split.",
  );
}

function unsuitable(message: string, pointer = "/task/type"): GnnError {
  return new GnnError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}
