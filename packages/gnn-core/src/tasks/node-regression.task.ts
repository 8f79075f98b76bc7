import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { knowsTarget, type NodeTargets, selectTargets } from "../graph/node-targets.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { ratio } from "./batch-sums.ts";
import type { KnownNodes, PredictionColumn, PredictionColumns } from "./known-nodes.ts";
import { labelledNodes } from "./labelled-nodes.ts";
import type { NodeJudge, NodeTask, SeedSource } from "./node-task.ts";
import type { OutputScaling } from "./output-scaling.ts";
import { RegressionTally } from "./regression-tally.ts";
import { fitTargetScaling, noScaling } from "./target-scaling.ts";
import type { TaskKit } from "./task-kit.ts";
import { numberMetrics } from "./task-metrics.ts";
import { unsuitableData } from "./unsuitable-data.ts";

/** Options of tasks that learn numbers, of nodes or of graphs */
export const regressionOptions = {
  target: z.union([z.string(), z.array(z.string()).min(1)]).describe("The target column, or several"),
  loss: z.enum(["mse", "mae", "huber"]).default("mse").describe("Loss on the targets, standardised if they are"),
  huberDelta: z.number().positive().default(1).describe("Error at which huber goes from square to straight"),
  standardize: z
    .boolean()
    .default(true)
    .describe("Learn (target − mean) / deviation of what is trained on; metrics and predictions keep the units"),
} as const;

const options = z.strictObject(regressionOptions);
export type RegressionOptions = z.infer<typeof options>;

/** Numbers of nodes, by the error of the standardised targets. */
export const nodeRegression = defineTask({
  name: "nodeRegression",
  version: 1,
  title: "Numbers of a node",
  summary: "Learns one or several numbers of each node.",
  options,
  inMemory: { target: "label" },
  seeds: "nodes",
  metrics: numberMetrics,
  chiefMetric: "mae",
  selectionMetric: "loss",
  // Each number on its own, and all of them together.
  choices: ({ nodes }) => {
    const targets = nodes?.targets ?? [];
    const single = targets.map((target) => ({ label: `Number: ${target}`, options: { target } }));
    const all = { label: `Numbers: ${targets.join(", ")}`, options: { target: targets } };
    return targets.length > 1 ? [...single, all] : single;
  },
  check: ({ target }, { nodes }) => {
    const known = nodes?.targets ?? [];
    const missing = columnsOf(target).filter((name) => !known.includes(name));
    if (missing.length === 0) return null;
    const found = known.length > 0 ? `it has ${known.join(", ")}` : "no column is mapped as a number to predict";
    return { option: "target", message: `The dataset has no target column ${missing.join(", ")}: ${found}.` };
  },
  outDim: ({ target }) => columnsOf(target).length,
  create: (chosen, data, kit) => {
    const targets = numbersOf(data, columnsOf(chosen.target));
    const seedsOf = labelledNodes(data.split, (node) => knowsTarget(targets, node));
    const scaling = chosen.standardize ? fitTargetScaling(targets, seedsOf("train")) : noScaling(targets.names.length);
    return regressionTask(targets, { ...chosen, scaling }, seedsOf, kit);
  },
  judge: ({ target }, nodes) => numberJudge(nodes, columnsOf(target)),
  columns: ({ target }, nodes) => numberColumns(nodes, columnsOf(target)),
});

/** Counts the errors of the named numbers, whether of nodes or of graphs. */
export function numberJudge(nodes: KnownNodes, columns: readonly string[]): NodeJudge {
  const targets = selectKnown(nodes, columns);
  const { values } = targets;
  const scaling = noScaling(columns.length);
  const loss = { loss: "mse", huberDelta: 1 } as const;
  return {
    isLabelled: (node) => knowsTarget(targets, node),
    tally: () => new RegressionTally(values, scaling, loss, meansOf(values, columns.length)),
  };
}

interface FittedOptions extends Pick<RegressionOptions, "loss" | "huberDelta"> {
  /** Mean and deviation of each target; 0 and 1: the outputs are the predictions */
  readonly scaling: OutputScaling;
}

/**
 * The mean over all known targets of l(z − (t − mean)/scale), l the chosen loss. The model's outputs are standardised;
 * metrics and predictions are in the targets' own units.
 *
 * @param targets in the user's units
 */
export function regressionTask(
  targets: NodeTargets,
  { loss, huberDelta, scaling }: FittedOptions,
  seedsOf: SeedSource,
  { regressionLossSum }: Pick<TaskKit, "regressionLossSum">,
): NodeTask {
  const width = targets.names.length;
  const scaled = standardized(targets.values, scaling);
  const centres = meansOf(scaled, width);
  const rowsOf = (nodes: Int32Array) => {
    const rows = new Float32Array(nodes.length * width);
    for (let row = 0; row < nodes.length; row++) {
      const from = (nodes[row] as number) * width;
      rows.set(scaled.subarray(from, from + width), row * width);
    }
    return rows;
  };
  const count = (seeds: Int32Array) => {
    const weightSum = rowsOf(seeds).reduce((known, value) => known + (Number.isNaN(value) ? 0 : 1), 0);
    return { weightSum, hits: 0, trials: 0 };
  };
  return {
    outDim: width,
    scaling,
    isLabelled: (node) => knowsTarget(targets, node),
    seedsOf,
    lossSum: (outputs, seeds) => regressionLossSum(outputs, rowsOf(seeds), loss, huberDelta),
    count: (_outputs, seeds) => count(seeds),
    countOnDevice: (_outputs, seeds) => count(seeds),
    trainMetrics: ({ lossSum, weightSum }) => ({ loss: ratio(lossSum, weightSum) }),
    tally: () => new RegressionTally(scaled, scaling, { loss, huberDelta }, centres),
    ranking: null,
  };
}

/** The target columns that the option names. */
export function columnsOf(target: RegressionOptions["target"]): readonly string[] {
  return typeof target === "string" ? [target] : target;
}

/** (t − mean) / scale, column by column. */
function standardized(values: Float32Array, { mean, scale }: OutputScaling): Float32Array {
  const width = mean.length;
  return values.map((value, i) => (value - (mean[i % width] as number)) / (scale[i % width] as number));
}

/** Mean of the known values of each column */
function meansOf(values: Float32Array, width: number): number[] {
  return Array.from({ length: width }, (_, column) => {
    let sum = 0;
    let count = 0;
    for (let i = column; i < values.length; i += width) {
      const value = values[i] as number;
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    return count > 0 ? sum / count : 0;
  });
}

/** target_<name>, predicted_<name> … */
export function numberColumns(nodes: KnownNodes, columns: readonly string[]): PredictionColumns {
  const width = columns.length;
  const { values: known } = selectKnown(nodes, columns);
  return (start, outputs) => {
    const numRows = outputs.length / width;
    const columnOf = (rows: Float32Array, first: number, i: number) =>
      Float32Array.from({ length: numRows }, (_, row) => rows[(first + row) * width + i] as number);
    return columns.flatMap((name, i): PredictionColumn[] => [
      { name: `target_${name}`, type: "float32", values: columnOf(known, start, i) },
      { name: `predicted_${name}`, type: "float32", values: columnOf(outputs, 0, i) },
    ]);
  };
}

/** The named targets of a stored graph, NaN where it has none of them. */
function selectKnown({ targets, numNodes }: KnownNodes, columns: readonly string[]): NodeTargets {
  const selected = targets && selectTargets(targets, columns);
  return selected ?? { names: columns, values: new Float32Array(numNodes * columns.length).fill(Number.NaN) };
}

function numbersOf({ targets }: TrainingData, columns: readonly string[]): NodeTargets {
  const selected = targets && selectTargets(targets, columns);
  if (!selected) {
    const known = targets && targets.names.length > 0 ? `it has ${targets.names.join(", ")}` : "it has none";
    throw unsuitableData(`The dataset has no target column ${columns.join(", ")}: ${known}.`, "target");
  }
  const bad = selected.values.findIndex((value) => value === Infinity || value === -Infinity);
  if (bad < 0) return selected;
  const node = Math.floor(bad / columns.length);
  throw unsuitableData(`Node ${node} has an infinite ${columns[bad % columns.length]}.`, "target");
}
