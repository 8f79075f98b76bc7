import { z } from "zod";
import type { Rank, Tensor2D } from "../backends/tf.ts";
import { defineTask } from "../components/define-task.ts";
import { hasLabel, type LabelSets, labelTargets } from "../graph/label-sets.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { hasSeveralLabels } from "../io/dataset-labels.ts";
import type { NodesSection } from "../io/dataset-spec.ts";
import { baseLogOdds } from "./base-log-odds.ts";
import { ratio } from "./batch-sums.ts";
import { type KnownNodes, type PredictionColumns, probabilityColumns } from "./known-nodes.ts";
import { labelledNodes } from "./labelled-nodes.ts";
import { MultiLabelTally } from "./multi-label-tally.ts";
import type { NodeTask, SeedSource } from "./node-task.ts";
import { labelMembers, positiveWeights } from "./positive-weights.ts";
import type { TaskKit } from "./task-kit.ts";
import { f1Metrics, lossMetric, rankingMetrics } from "./task-metrics.ts";
import { unsuitableData } from "./unsuitable-data.ts";

/** Joins the several labels of a node in one cell of an export. */
const separator = "|";

/** Several labels per node, each on its own by sigmoid cross-entropy. */
export const nodeMultiLabel = defineTask({
  name: "nodeMultiLabel",
  version: 1,
  title: "Several labels of a node",
  summary: "Learns for each label whether a node has it; a node may have several, or none.",
  options: z.strictObject({
    target: z.string().describe("What the several labels of a node are mapped from"),
    loss: z.enum(["sigmoidCrossEntropy"]).default("sigmoidCrossEntropy").describe("Each label on its own, yes or no"),
    classWeights: z
      .enum(["none", "balanced"])
      .default("none")
      .describe("balanced: the members of a label weigh as much as all other nodes"),
    threshold: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.5)
      .describe("A label is predicted from this probability on; F1 and the exported predictions go by it"),
  }),
  inMemory: { target: "label" },
  seeds: "nodes",
  metrics: [
    { ...f1Metrics.micro, isRecounted: true },
    { ...f1Metrics.macro, isRecounted: true },
    lossMetric,
    ...rankingMetrics,
  ],
  chiefMetric: "microF1",
  // F1 at a threshold stays 0 until a label is likely at all, so the loss chooses.
  selectionMetric: "loss",
  choices: ({ nodes }) => {
    if (!hasSeveralLabels(nodes)) return [];
    const target = sourceOf(nodes) ?? "labels";
    return [{ label: `Several labels per node: ${target}`, options: { target } }];
  },
  check: ({ target }, { nodes }) => {
    if (!hasSeveralLabels(nodes)) {
      const message = "The dataset has one label per node, or none";
      return { option: "type", message, remedy: "map several labels" };
    }
    const name = sourceOf(nodes);
    if (name === null || name === target) return null;
    return { option: "target", message: `The dataset's labels come from the column "${name}", not "${target}".` };
  },
  outDim: (_options, { classes }) => classes.length,
  create: (options, data, kit) => {
    const sets = setsOf(data);
    const seedsOf = labelledNodes(data.split, (node) => sets.known[node] === 1);
    const trainNodes = seedsOf("train");
    const weights = positiveWeights(options.classWeights, sets, trainNodes);
    const start = baseLogOdds(labelMembers(sets, trainNodes), trainNodes.length, weights);
    return multiLabelTask(sets, { weights, threshold: options.threshold, start }, seedsOf, kit);
  },
  judge: ({ threshold }, { labelSets, classes, numNodes }) => {
    const sets = labelSets ?? nothingKnown(numNodes, classes.length);
    const ones = new Float32Array(sets.numClasses).fill(1);
    return {
      isLabelled: (node) => sets.known[node] === 1,
      tally: () => new MultiLabelTally(sets, ones, cutsOf(sets, threshold, null), null),
    };
  },
  columns: ({ threshold }, nodes) => labelColumns(nodes, threshold),
});

interface LossOptions {
  /** float32 [numClasses], the p_c: weight of a label's members */
  readonly weights: Float32Array;
  /** A label is predicted from this probability on */
  readonly threshold: number;
  /** float32 [numClasses], where the logits start (`baseLogOdds`). Left out: the outputs are the logits */
  readonly start?: Float32Array;
}

/**
 * Sigmoid cross-entropy of each label on its own, averaged over nodes and labels,
 *   1/(n·C) Σ_v Σ_c −[p_c · t_vc · log σ(z_vc) + (1 − t_vc) · log(1 − σ(z_vc))]
 * of the logits z = output + start. Predictions are of the logits.
 */
export function multiLabelTask(
  sets: LabelSets,
  { weights, threshold, start }: LossOptions,
  seedsOf: SeedSource,
  { tf, sigmoidCrossEntropySum, countLabels }: Pick<TaskKit, "tf" | "sigmoidCrossEntropySum" | "countLabels">,
): NodeTask {
  const { numClasses } = sets;
  const isWeighted = weights.some((weight) => weight !== 1);
  const cuts = cutsOf(sets, threshold, start ?? null);
  return {
    outDim: numClasses,
    scaling: start ? { mean: [...start], scale: Array.from(start, () => 1) } : null,
    isLabelled: (node) => sets.known[node] === 1,
    seedsOf,
    lossSum: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      const logits = start ? tf.add<Tensor2D>(outputs, tf.tensor2d(start, [1, numClasses])) : outputs;
      if (!isWeighted) return sigmoidCrossEntropySum(logits, targets, null);
      // Every entry has a weight of its own: as many rows of one column.
      const column = tf.reshape<Rank.R2>(logits, [targets.length, 1]);
      return sigmoidCrossEntropySum(column, targets, entryWeights(targets, weights));
    },
    count: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      return { weightSum: targets.length, ...countHits(outputs, targets, cuts) };
    },
    countOnDevice: (outputs, seeds) => {
      const targets = labelTargets(sets, seeds);
      const counted = countLabels(outputs, targets, cuts);
      return counted && { weightSum: targets.length, ...counted };
    },
    trainMetrics: ({ lossSum, weightSum, hits, trials }) => ({
      loss: ratio(lossSum, weightSum),
      microF1: ratio(hits, trials),
    }),
    tally: () => new MultiLabelTally(sets, weights, cuts, start ?? null),
    ranking: {
      numClasses,
      classes: Array.from({ length: numClasses }, (_, c) => c),
      isMember: (node, c) => hasLabel(sets, node, c),
      score: (outputs, scores) => scores.set(outputs), // σ keeps the order
    },
  };
}

/** The z at which σ(z) = probability. */
export function logit(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Output from which on each label is predicted */
function cutsOf({ numClasses }: LabelSets, threshold: number, start: Float32Array | null): Float64Array {
  return Float64Array.from({ length: numClasses }, (_, c) => logit(threshold) - (start?.[c] ?? 0));
}

/** Micro F1 as a fraction: 2·TP over predicted + actual. @param cuts output from which on each label is predicted */
function countHits(outputs: Float32Array, targets: Float32Array, cuts: Float64Array): { hits: number; trials: number } {
  let hits = 0;
  let trials = 0;
  for (let i = 0; i < targets.length; i++) {
    const isPredicted = (outputs[i] as number) >= (cuts[i % cuts.length] as number);
    const isActual = targets[i] === 1;
    trials += Number(isPredicted) + Number(isActual);
    if (isPredicted && isActual) hits += 2;
  }
  return { hits, trials };
}

function entryWeights(targets: Float32Array, weights: Float32Array): Float32Array {
  return targets.map((target, i) => (target === 1 ? (weights[i % weights.length] as number) : 1));
}

/** label and predicted as lists joined by `|`, p_<class> …; predicted are those with p_<class> ≥ the threshold */
function labelColumns({ labelSets, classes, numNodes }: KnownNodes, threshold: number): PredictionColumns {
  const numClasses = classes.length;
  const { indptr, indices, known } = labelSets ?? nothingKnown(numNodes, numClasses);
  const named = (labels: Iterable<number>) => Array.from(labels, (label) => classes[label] as string).join(separator);
  return (start, outputs) => {
    const columns = sigmoidColumns(outputs, numClasses);
    const rows = Array.from({ length: outputs.length / numClasses }, (_, row) => row);
    const labelsOf = (node: number) => named(indices.subarray(indptr[node], indptr[node + 1]));
    const predicted = (row: number) => columns.flatMap((of, c) => ((of[row] as number) >= threshold ? [c] : []));
    return [
      {
        name: "label",
        type: "text",
        values: rows.map((row) => (known[start + row] === 1 ? labelsOf(start + row) : null)),
      },
      { name: "predicted", type: "text", values: rows.map((row) => named(predicted(row))) },
      ...probabilityColumns(classes, columns),
    ];
  };
}

/** σ(z) of each label, one float32 [rows] a label. */
function sigmoidColumns(outputs: Float32Array, numClasses: number): Float32Array[] {
  const numRows = outputs.length / numClasses;
  return Array.from({ length: numClasses }, (_, c) =>
    Float32Array.from({ length: numRows }, (__, row) => 1 / (1 + Math.exp(-(outputs[row * numClasses + c] as number)))),
  );
}

/** The column or file that the labels come from; columns of 0 and 1 have no name in common. */
function sourceOf(nodes: NodesSection | null): string | null {
  if (!nodes || nodes.labelColumns.length > 0) return null;
  return nodes.labelFile?.label ?? nodes.label;
}

function nothingKnown(numNodes: number, numClasses: number): LabelSets {
  const indptr = new Int32Array(numNodes + 1);
  return { numNodes, numClasses, indptr, indices: new Int32Array(0), known: new Int8Array(numNodes) };
}

function setsOf({ labelSets }: TrainingData): LabelSets {
  if (!labelSets) {
    throw unsuitableData(
      `${nodeMultiLabel.name} needs several labels per node: map the label column with a separator, several 0/1 columns or a file of labels.`,
    );
  }
  const bad = labelSets.indices.findIndex((label) => label < 0 || label >= labelSets.numClasses);
  if (bad < 0) return labelSets;
  const found = `A node has the label ${labelSets.indices[bad]}`;
  throw unsuitableData(`${found}; there are ${labelSets.numClasses} classes, numbered from 0.`);
}
