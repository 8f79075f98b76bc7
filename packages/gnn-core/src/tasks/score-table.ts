import type { RankContext } from "../dist/rank-context.ts";
import type { TaskRanking } from "./node-task.ts";
import { averagePrecision, rankScores, rocAuc } from "./ranking-metrics.ts";
import type { ScoredNodes } from "./temperature.ts";

export interface RankingMetrics {
  /** Two classes, of which each node has one: of class 1. Else: mean over the classes, each against the rest. */
  readonly rocAuc: number | null;
  /** Average precision of the same classes: mean over those that occur. */
  readonly averagePrecision: number | null;
}

/** Class scores of the evaluated nodes, filled by all ranks in memory that all of them see. */
export class ScoreTable {
  readonly #nodes: Int32Array;
  readonly #ranking: TaskRanking;
  readonly #scores: Float32Array;

  /**
   * @param nodes  GlobalIds of the evaluated nodes, ascending
   * @param scores float32 [nodes.length · numClasses], shared by the ranks; with ranks on several hosts this rank's
   * own, zero
   */
  constructor(nodes: Int32Array, ranking: TaskRanking, scores: Float32Array) {
    this.#nodes = nodes;
    this.#ranking = ranking;
    this.#scores = scores;
  }

  /** Takes one evaluated node. @param row its row in `outputs`, float32 [rows, numClasses] */
  addRow(outputs: Float32Array, row: number, node: number): void {
    const ranking = this.#ranking;
    const { numClasses } = ranking;
    const at = lowerBound(this.#nodes, node) * numClasses;
    const from = row * numClasses;
    ranking.score(outputs.subarray(from, from + numClasses), this.#scores.subarray(at, at + numClasses));
  }

  /** What a calibration needs, once every rank has written its rows; null where a node has not one class. */
  get scored(): ScoredNodes | null {
    const { classOf, numClasses } = this.#ranking;
    return classOf ? { logits: this.#scores, labels: this.#nodes.map(classOf), numClasses } : null;
  }

  /** Joins the scores of ranks that do not share the memory. */
  addUp({ collective }: RankContext): Promise<void> {
    return collective.allReduceSum(this.#scores);
  }

  /**
   * The metrics of the whole table; to be called once every rank has written its rows. The ranks share the classes.
   *
   * @param onClass after each class of this rank
   */
  async metrics(rank: RankContext, onClass: () => void): Promise<RankingMetrics> {
    const { numClasses, classes } = this.#ranking;
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
    const ranking = this.#ranking;
    const ranked = rankScores(
      this.#nodes.length,
      (i) => this.#scores[i * ranking.numClasses + c] as number,
      (i) => ranking.isMember(this.#nodes[i] as number, c),
    );
    return [rocAuc(ranked), averagePrecision(ranked)].flatMap((value) => (value === null ? [0, 0] : [value, 1]));
  }
}

/** Index of the first node that is not below `node`. */
function lowerBound(nodes: Int32Array, node: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((nodes[middle] as number) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}
