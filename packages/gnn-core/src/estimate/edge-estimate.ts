import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { ResolvedTask } from "../spec/resolve-task.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";
import { rowsOfPairs } from "./link-estimate.ts";

/** What a task on labelled edges does beside training on the ends of its edges. */
export interface EdgeWork {
  /** Labelled edges, and those whose label is not known */
  readonly numEdges: number;
  readonly numTrain: number;
  readonly numHeldOut: number;
  /** Numbers that the prediction reads of each edge */
  readonly featureDim: number;
  /** Width of the rows of both ends */
  readonly dim: number;
}

/** Shares of all rows, where the split is drawn: how many of a side have labels is not known before. */
export function edgeWorkOf(
  { component, options }: ResolvedTask,
  { edgeRows }: Pick<GraphInfo, "edgeRows">,
): EdgeWork | null {
  if (component.seeds !== "edgeRows" || !edgeRows) return null;
  const { numRows, splits, featureDim } = edgeRows;
  const split = component.split(options);
  const heldOut =
    split.type === "given" ? (splits?.val ?? 0) + (splits?.test ?? 0) : Math.ceil(numRows * (split.val + split.test));
  return {
    numEdges: numRows,
    numTrain: split.type === "given" ? (splits?.train ?? numRows) : numRows - heldOut,
    numHeldOut: heldOut,
    featureDim: component.featuresOfEdges(options) ? featureDim : 0,
    dim: component.outDim(options, { classes: [] }),
  };
}

/** Seeds are the ends of edges: two of each. */
export function seedsOfEdges({ numTrain }: EdgeWork, batchSize: number) {
  return { numSeeds: 2 * numTrain, batchSize: 2 * Math.min(batchSize, Math.max(1, numTrain)) };
}

/** Seconds of one thread, measured as those of links were. */
const seconds = {
  /** Two stages more: splitting edges, predicting them. */
  stages: 0.3,
  /** A row that is put on a side and written with its features. */
  row: 1e-6,
  /** An edge of a step: its ends found among the seeds, its rows gathered. */
  edge: 2e-6,
  /** An edge that is judged or predicted, and each number that it is predicted by. */
  judged: 6e-7,
  value: 3e-9,
} as const;

export function edgeTimeLines({ edgeRows, epochs, evaluateEveryEpochs, ranks }: EstimateInput): EstimateLine[] {
  if (!edgeRows) return [];
  const { numEdges, numTrain, numHeldOut, dim, featureDim } = edgeRows;
  const evaluations = Math.ceil(epochs / evaluateEveryEpochs) + 1;
  const perJudged = seconds.judged + (2 * dim + featureDim) * seconds.value;
  return [
    { of: "stageOverhead", what: "splitting and predicting edges, whatever their number", amount: seconds.stages },
    { of: "stageTime", what: "splitting edges", amount: numEdges * seconds.row },
    { of: "time", what: `edges of ${epochs} epochs, predicted`, amount: (epochs * numTrain * seconds.edge) / ranks },
    { of: "time", what: "held-out edges, predicted", amount: (evaluations * numHeldOut * perJudged) / ranks },
    { of: "stageTime", what: "predicting every edge", amount: numEdges * perJudged },
  ];
}

/** Both ends, label, side and features of every edge, which each rank holds. */
export function edgeMemoryLines(input: EstimateInput): EstimateLine[] {
  const { edgeRows } = input;
  if (!edgeRows) return [];
  const { numEdges, featureDim } = edgeRows;
  const lines = [
    { what: "labelled edges and their features", amount: numEdges * (17 + 4 * featureDim) },
    ...rowsOfPairs(input, edgeRows),
  ];
  return lines.map((line) => ({ of: "memory", ...line }));
}

/** Edges of the split with their features, and outputs and lines of the predictions. */
export function edgeDiskLines({ edgeRows }: EstimateInput): EstimateLine[] {
  if (!edgeRows) return [];
  const { numEdges, featureDim } = edgeRows;
  return [
    { of: "disk", what: "labelled edges, split", amount: numEdges * (13 + 4 * featureDim) },
    { of: "disk", what: "predictions of the edges", amount: numEdges * 60 },
  ];
}
