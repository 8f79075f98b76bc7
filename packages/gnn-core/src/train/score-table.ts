import type { RankContext } from "../dist/rank-context.ts";
import { averagePrecision, rankScores, rocAuc } from "./ranking-metrics.ts";

export interface RankingMetrics {
  /** Two classes: of class 1. More: mean over the classes of class against rest, where both occur. */
  readonly rocAuc: number | null;
  /** Two classes: of class 1. More: mean over the classes that occur. */
  readonly averagePrecision: number | null;
}

/**
 * Class scores of the evaluated nodes, filled by all ranks in memory that all of them see. A score is the log of the
 * class's probability: in the same order as the probability, and still distinct where that rounds to 1.
 */
export class ScoreTable {
  readonly #nodes: Int32Array;
  readonly #labels: Int32Array;
  readonly #numClasses: number;
  readonly #scores: Float32Array;

  /**
   * @param nodes   GlobalIds of the evaluated nodes, ascending
   * @param labels  class of every node of the graph
   * @param scores  float32 [nodes.length · numClasses], shared by the ranks
   */
  constructor(nodes: Int32Array, labels: Int32Array, numClasses: number, scores: Float32Array) {
    [this.#nodes, this.#labels, this.#numClasses, this.#scores] = [nodes, labels, numClasses, scores];
  }

  /** Takes the logits [count, numClasses] of nodes that follow each other from `firstNode`. */
  write(firstNode: number, logits: Float32Array): void {
    const numClasses = this.#numClasses;
    const end = firstNode + logits.length / numClasses;
    for (let i = lowerBound(this.#nodes, firstNode); i < this.#nodes.length; i++) {
      const node = this.#nodes[i] as number;
      if (node >= end) return;
      const row = (node - firstNode) * numClasses;
      logSoftmax(logits.subarray(row, row + numClasses), this.#scores.subarray(i * numClasses, (i + 1) * numClasses));
    }
  }

  /**
   * The metrics of the whole table; to be called once every rank has written its rows. The ranks share the classes.
   *
   * @param onClass after each class of this rank
   */
  async metrics(rank: RankContext, onClass: () => void): Promise<RankingMetrics> {
    const numClasses = this.#numClasses;
    const classes = numClasses === 2 ? [1] : Array.from({ length: numClasses }, (_, c) => c);
    const found = new Float32Array(4 * numClasses); // of each class: area, 1 if defined, precision, 1 if defined
    for (const c of classes) {
      if (c % rank.worldSize !== rank.rank) continue;
      found.set(this.#metricsOf(c), 4 * c);
      onClass();
    }
    await rank.collective.allReduceSum(found);
    const total = (column: number) => found.reduce((sum, value, i) => (i % 4 === column ? sum + value : sum), 0);
    const mean = (column: number) => (total(column + 1) > 0 ? total(column) / total(column + 1) : null);
    return { rocAuc: mean(0), averagePrecision: mean(2) };
  }

  #metricsOf(c: number): readonly number[] {
    const ranked = rankScores(
      this.#nodes.length,
      (i) => this.#scores[i * this.#numClasses + c] as number,
      (i) => this.#labels[this.#nodes[i] as number] === c,
    );
    return [rocAuc(ranked), averagePrecision(ranked)].flatMap((value) => (value === null ? [0, 0] : [value, 1]));
  }
}

/** log softmax, with the largest logit's own term left out of the sum so that nothing cancels. */
function logSoftmax(logits: Float32Array, out: Float32Array): void {
  let top = 0;
  for (let c = 1; c < logits.length; c++) if ((logits[c] as number) > (logits[top] as number)) top = c;
  const max = logits[top] as number;
  let others = 0;
  for (let c = 0; c < logits.length; c++) if (c !== top) others += Math.exp((logits[c] as number) - max);
  const logSum = Math.log1p(others);
  for (let c = 0; c < logits.length; c++) out[c] = (logits[c] as number) - max - logSum;
}

/** Index of the first node that is not below `node`. */
function lowerBound(nodes: Int32Array, node: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((nodes[middle] as number) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}
