import type { RankContext } from "../dist/rank-context.ts";
import { type NamedSplit, splitCode } from "../graph/split-nodes.ts";
import type { TrainingData } from "../graph/training-data.ts";
import { type LayerwiseParts, layerwiseInference } from "../infer/layerwise-inference.ts";
import type { Metrics, NodeTask, TaskTally } from "../tasks/node-task.ts";
import { ScoreTable } from "../tasks/score-table.ts";
import type { ScoredNodes } from "../tasks/temperature.ts";

export type EvaluatedSplit = NamedSplit;

/** Memory, seen by all ranks, for the scores of a split's nodes */
export type ScoreMemory = (split: EvaluatedSplit, length: number) => Float32Array;

export interface EvaluatorParts extends Omit<LayerwiseParts, "onChunk" | "graph" | "features"> {
  readonly data: TrainingData;
  readonly task: NodeTask;
  /** Left out: no ranking metrics */
  readonly scoresOf?: ScoreMemory | undefined;
  /** Between the classes of the ranking metrics */
  readonly onClass?: () => void;
}

export interface SplitEvaluation {
  /** The task's metrics, with `scoresOf` also rocAuc and averagePrecision where it has them */
  readonly metrics: Metrics;
  /** Rows: label; columns: prediction. Null with more than 100 classes, and where a node has not one class */
  readonly confusion: number[][] | null;
  /** With `scoresOf`, where each node has one class: what its calibration is counted from, in shared memory */
  readonly scored?: ScoredNodes | null;
}

/** The labelled nodes of one split and what is counted over them. */
export interface CountedSplit {
  readonly split: EvaluatedSplit;
  readonly tally: TaskTally;
  readonly scores: ScoreTable | null;
}

/**
 * Metrics of each split by exact layer-wise inference with the model's present weights.
 * Counts are reduced over the ranks, so every rank returns the same numbers.
 *
 * @throws GnnError CANCELLED on every rank when the signal of one is aborted
 */
export async function evaluate<Split extends EvaluatedSplit>(
  parts: EvaluatorParts,
  splits: readonly Split[],
): Promise<Record<Split, SplitEvaluation>> {
  const { data, model, task } = parts;
  const counted = splits.map((split) => countedSplit(parts, split));
  const byCode = new Map(counted.map((each) => [splitCode[each.split] as number, each]));
  await layerwiseInference({
    ...parts,
    graph: data.graph,
    features: data.features,
    onChunk: ({ layer, firstNode, rows }) => {
      if (layer < model.layers.length - 1) return;
      for (let row = 0; row < rows.length / task.outDim; row++) {
        const node = firstNode + row;
        const into = byCode.get(data.split[node] as number);
        if (into && task.isLabelled(node)) countRow(into, rows, row, node);
      }
    },
  });
  return reduced(
    { ...parts, addsUpScores: data.graph.remote !== undefined || (parts.rank.numHosts ?? 1) > 1 },
    counted,
  );
}

export function countedSplit(
  { task, scoresOf }: Pick<EvaluatorParts, "task" | "scoresOf">,
  split: EvaluatedSplit,
): CountedSplit {
  const tally = task.tally();
  if (!scoresOf || !task.ranking) return { split, tally, scores: null };
  const nodes = task.seedsOf(split);
  if (nodes.length === 0) return { split, tally, scores: null };
  const scores = scoresOf(split, nodes.length * task.ranking.numClasses);
  return { split, tally, scores: new ScoreTable(nodes, task.ranking, scores) };
}

export function countRow({ tally, scores }: CountedSplit, outputs: Float32Array, row: number, node: number): void {
  tally.addRow(outputs, row, node);
  scores?.addRow(outputs, row, node);
}

/** Adds up the counts of all ranks and gives the metrics of each split. */
export async function reduced<Split extends EvaluatedSplit>(
  {
    rank,
    onClass = () => {},
    addsUpScores = false,
  }: {
    readonly rank: RankContext;
    readonly onClass?: (() => void) | undefined;
    /** The ranks' scores lie in memory of their own, zero where others have them */
    readonly addsUpScores?: boolean;
  },
  counted: readonly CountedSplit[],
): Promise<Record<Split, SplitEvaluation>> {
  for (const { tally } of counted) {
    const flat = tally.flat();
    await rank.collective.allReduceSum(flat);
    tally.assign(flat);
  }
  const results: Partial<Record<EvaluatedSplit, SplitEvaluation>> = {};
  for (const { split, tally, scores } of counted) {
    if (addsUpScores) await scores?.addUp(rank);
    const ranking = (await scores?.metrics(rank, onClass)) ?? {};
    const scored = scores?.scored ?? null;
    results[split] = { metrics: { ...tally.metrics, ...ranking }, confusion: tally.confusion, scored };
  }
  return results as Record<Split, SplitEvaluation>;
}
