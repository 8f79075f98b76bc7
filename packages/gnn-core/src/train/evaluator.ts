import type { RankContext } from "../dist/rank-context.ts";
import { type LayerwiseParts, layerwiseInference } from "../infer/layerwise-inference.ts";
import { splitCode } from "../partition/split-nodes.ts";
import { type RankingMetrics, ScoreTable } from "./score-table.ts";
import { type SplitCounts, SplitTally } from "./split-tally.ts";
import type { TrainingData } from "./training-data.ts";

export type EvaluatedSplit = Exclude<keyof typeof splitCode, "none">;

export interface EvaluatorParts extends Omit<LayerwiseParts, "onChunk" | "graph" | "features"> {
  readonly data: TrainingData;
  /** float32 [numClasses] loss weight of each class */
  readonly classWeights: Float32Array;
  /** Memory, seen by all ranks, for the scores of a split's nodes; left out: no ranking metrics */
  readonly scoresOf?: ((split: EvaluatedSplit, length: number) => Float32Array) | undefined;
  /** Between the classes of the ranking metrics */
  readonly onClass?: () => void;
}

export interface SplitEvaluation {
  /** loss, accuracy, macroF1, microF1, and with `scoresOf` rocAuc and averagePrecision; null: nothing to count */
  readonly metrics: SplitCounts & Partial<RankingMetrics>;
  /** Rows: label; columns: prediction. Null with more than 100 classes */
  readonly confusion: number[][] | null;
}

interface Counted {
  readonly split: EvaluatedSplit;
  readonly tally: SplitTally;
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
  const { data, model, rank, onClass = () => {} } = parts;
  const counted = splits.map((split) => countedSplit(parts, split));
  await layerwiseInference({
    ...parts,
    graph: data.graph,
    features: data.features,
    onChunk: ({ layer, firstNode, rows }) => {
      if (layer === model.layers.length - 1) for (const each of counted) countChunk(data, each, firstNode, rows);
    },
  });
  await reduce(rank, counted);
  const results: Partial<Record<EvaluatedSplit, SplitEvaluation>> = {};
  for (const { split, tally, scores } of counted) {
    const ranking = (await scores?.metrics(rank, onClass)) ?? {};
    results[split] = { metrics: { ...tally.metrics, ...ranking }, confusion: tally.confusion };
  }
  return results as Record<Split, SplitEvaluation>;
}

function countedSplit({ data, classWeights, scoresOf }: EvaluatorParts, split: EvaluatedSplit): Counted {
  const tally = new SplitTally(classWeights);
  if (!scoresOf) return { split, tally, scores: null };
  const nodes = Int32Array.from(data.split.keys()).filter(
    (node) => data.split[node] === splitCode[split] && (data.labels[node] as number) >= 0,
  );
  if (nodes.length === 0) return { split, tally, scores: null };
  const scores = scoresOf(split, nodes.length * data.numClasses);
  return { split, tally, scores: new ScoreTable(nodes, data.labels, data.numClasses, scores) };
}

function countChunk(data: TrainingData, { split, tally, scores }: Counted, firstNode: number, rows: Float32Array) {
  const labels = data.labels.subarray(firstNode, firstNode + rows.length / data.numClasses);
  tally.add(rows, labels, (row) => data.split[firstNode + row] === splitCode[split]);
  scores?.write(firstNode, rows);
}

async function reduce({ collective }: RankContext, counted: readonly Counted[]): Promise<void> {
  for (const { tally } of counted) {
    const flat = tally.flat();
    await collective.allReduceSum(flat);
    tally.assign(flat);
  }
}
