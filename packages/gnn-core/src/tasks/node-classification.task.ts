import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { hasSeveralLabels } from "../io/dataset-labels.ts";
import { ratio } from "./batch-sums.ts";
import { classWeights } from "./class-weights.ts";
import { type KnownNodes, type PredictionColumns, probabilityColumns } from "./known-nodes.ts";
import { labelledNodes } from "./labelled-nodes.ts";
import { logSoftmax } from "./log-softmax.ts";
import { argMax, countCorrect } from "./metrics.ts";
import type { NodeJudge, NodeTask, SeedSource } from "./node-task.ts";
import { softmaxColumns } from "./softmax.ts";
import { SplitTally } from "./split-tally.ts";
import type { TaskKit } from "./task-kit.ts";
import { classMetrics } from "./task-metrics.ts";
import { unsuitableData } from "./unsuitable-data.ts";

/** One class per node, by softmax cross-entropy. */
export const nodeClassification = defineTask({
  name: "nodeClassification",
  version: 1,
  title: "Class of a node",
  summary: "Learns which one of several classes each node has.",
  options: z.strictObject({
    target: z.string().describe("The label column: one class per node"),
    loss: z.enum(["crossEntropy"]).default("crossEntropy").describe("Softmax cross-entropy of the one class"),
    classWeights: z
      .enum(["none", "balanced"])
      .default("none")
      .describe("balanced: every class weighs the same in the loss"),
  }),
  isDefault: true,
  inMemory: { target: "label" },
  seeds: "nodes",
  tellsOneClass: true,
  metrics: classMetrics,
  chiefMetric: "accuracy",
  selectionMetric: "accuracy",
  choices: ({ nodes }) =>
    nodes?.label && !hasSeveralLabels(nodes)
      ? [{ label: `Class: ${nodes.label}`, options: { target: nodes.label } }]
      : [],
  check: ({ target }, { nodes }) => {
    if (hasSeveralLabels(nodes)) return { option: "type", message: "The dataset has several labels per node" };
    if (nodes?.label === target) return null;
    const found = nodes?.label ? `its label column is "${nodes.label}"` : "it has no label column";
    return { option: "target", message: `The dataset has no label column "${target}": ${found}.` };
  },
  checkGraph: (_options, { classes }) => {
    if (classes.length >= 2) return null;
    const found = classes.length === 1 ? `all labelled nodes are of the class "${classes[0]}"` : "no node is labelled";
    return { option: "target", message: `There is nothing to tell apart: ${found}. Map another label column.` };
  },
  outDim: (_options, { classes }) => classes.length,
  create: (options, data, kit) => {
    const { labels, numClasses } = classesOf(data);
    const seedsOf = labelledNodes(data.split, (node) => (labels[node] as number) >= 0);
    const weights = classWeights(options.classWeights, labels, seedsOf("train"), numClasses);
    return classificationTask(labels, weights, seedsOf, kit);
  },
  judge: (_options, nodes) => classJudge(nodes),
  columns: (_options, nodes) => classColumns(nodes),
});

/** Counts one class each, whether of nodes or of graphs. */
export function classJudge({ labels, classes }: KnownNodes): NodeJudge {
  return {
    isLabelled: (node) => (labels[node] as number) >= 0,
    tally: () => new SplitTally(new Float32Array(classes.length).fill(1), labels),
  };
}

/** label, predicted, confidence, p_<class> … */
export function classColumns({ classes, labels }: KnownNodes): PredictionColumns {
  const numClasses = classes.length;
  return (start, outputs) => {
    const known = labels.subarray(start, start + outputs.length / numClasses);
    const predicted = known.map((_, row) => argMax(outputs, row, numClasses));
    const probabilities = softmaxColumns(outputs, numClasses);
    return [
      {
        name: "label",
        type: "text",
        values: Array.from(known, (label) => (label < 0 ? null : (classes[label] as string))),
      },
      {
        name: "predicted",
        type: "text",
        values: Array.from(predicted, (c) => classes[c] as string),
      },
      {
        name: "confidence",
        type: "float32",
        values: Float32Array.from(predicted, (c, row) => probabilities[c]?.[row] as number),
      },
      ...probabilityColumns(classes, probabilities),
    ];
  };
}

/**
 * Softmax cross-entropy, Σ w[y_v] · −log softmax(z_v)[y_v] / Σ w[y_v].
 *
 * @param labels       int32 [numNodes], -1 = unlabelled
 * @param classWeights float32 [numClasses], loss weight of each class
 */
export function classificationTask(
  labels: Int32Array,
  classWeights: Float32Array,
  seedsOf: SeedSource,
  { crossEntropySum, countHits }: Pick<TaskKit, "crossEntropySum" | "countHits">,
): NodeTask {
  const numClasses = classWeights.length;
  let last: { readonly seeds: Int32Array; readonly targets: Targets } | null = null;
  // A step asks for those of its seeds several times: the same arrays go up to a device once.
  const targetsOf = (seeds: Int32Array): Targets => {
    if (last?.seeds !== seeds) last = { seeds, targets: targetsAmong(labels, classWeights, seeds) };
    return last.targets;
  };
  return {
    outDim: numClasses,
    scaling: null,
    isLabelled: (node) => (labels[node] as number) >= 0,
    seedsOf,
    lossSum: (outputs, seeds) => {
      const { classes, weights } = targetsOf(seeds);
      return crossEntropySum(outputs, classes, weights);
    },
    count: (outputs, seeds) => {
      const { classes, weightSum } = targetsOf(seeds);
      return { weightSum, hits: countCorrect(outputs, classes, numClasses), trials: seeds.length };
    },
    countOnDevice: (outputs, seeds) => {
      const { classes, weightSum } = targetsOf(seeds);
      const hits = countHits(outputs, classes);
      return hits && { weightSum, trials: seeds.length, hits };
    },
    trainMetrics: ({ lossSum, weightSum, hits, trials }) => ({
      loss: ratio(lossSum, weightSum),
      accuracy: ratio(hits, trials),
    }),
    tally: () => new SplitTally(classWeights, labels),
    ranking: {
      numClasses,
      classes: numClasses === 2 ? [1] : Array.from({ length: numClasses }, (_, c) => c),
      isMember: (node, c) => labels[node] === c,
      classOf: (node) => labels[node] as number,
      score: logSoftmax,
    },
  };
}

/** What the loss takes of some seeds */
interface Targets {
  readonly classes: Int32Array;
  /** Loss weight of each seed, 0 without a class */
  readonly weights: Float32Array;
  readonly weightSum: number;
}

function targetsAmong(labels: Int32Array, classWeights: Float32Array, seeds: Int32Array): Targets {
  const classes = new Int32Array(seeds.length);
  const weights = new Float32Array(seeds.length);
  let weightSum = 0;
  for (let i = 0; i < seeds.length; i++) {
    const label = labels[seeds[i] as number] as number;
    classes[i] = label;
    weights[i] = classWeights[label] ?? 0;
    weightSum += weights[i] as number;
  }
  return { classes, weights, weightSum };
}

function classesOf({ labels, numClasses = 0, labelSets }: TrainingData): { labels: Int32Array; numClasses: number } {
  if (!labels || labelSets) {
    const found = labelSets ? "has several labels per node: choose the task of several labels" : "has no labels";
    throw unsuitableData(`${nodeClassification.name} needs one label per node, and the dataset ${found}.`);
  }
  const bad = labels.findIndex((label) => label >= numClasses);
  if (bad < 0) return { labels, numClasses };
  throw unsuitableData(`Node ${bad} has the label ${labels[bad]}; there are ${numClasses} classes, numbered from 0.`);
}
