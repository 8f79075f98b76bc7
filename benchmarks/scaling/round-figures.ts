import type { RoundAnswer } from "./rank.ts";

/** One round of all ranks */
export interface RoundFigures {
  /** Steps of all ranks per second of wall time */
  readonly stepsPerSecond: number;
  readonly cpuSecondsPerStep: number;
  /** Shares of a rank's time: waiting for a rank that comes later, and the sum itself once all are there */
  readonly imbalance: number;
  readonly transfer: number;
  /**
   * Rows read from other ranks, and their bytes with in-edges and ids, per step and rank; 0 where nothing is
   * partitioned
   */
  readonly remoteRows: number;
  readonly remoteBytes: number;
}

/** Ranks apart do not wait: each has a rate of its own. Ranks together end together: theirs is that of the slowest. */
export function roundFigures(answers: readonly RoundAnswer[], steps: number, isTogether: boolean): RoundFigures {
  const seconds = answers.map(({ startedNs, endedNs }) => (endedNs - startedNs) / 1e9);
  const slowest = Math.max(...seconds);
  const rate = isTogether ? (answers.length * steps) / slowest : seconds.reduce((sum, own) => sum + steps / own, 0);
  const waits = answers.map(({ reductions }, rank) => {
    let imbalanceNs = 0;
    let transferNs = 0;
    for (const [step, { arrivedNs, leftNs }] of reductions.entries()) {
      const lastNs = isTogether
        ? Math.max(...answers.map((other) => other.reductions[step]?.arrivedNs ?? 0))
        : arrivedNs;
      imbalanceNs += lastNs - arrivedNs;
      transferNs += Math.max(0, leftNs - lastNs);
    }
    const own = (seconds[rank] as number) * 1e9;
    return { imbalance: imbalanceNs / own, transfer: transferNs / own };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    stepsPerSecond: rate,
    cpuSecondsPerStep: mean(answers.map(({ cpuSeconds }) => cpuSeconds)) / steps,
    imbalance: mean(waits.map(({ imbalance }) => imbalance)),
    transfer: mean(waits.map(({ transfer }) => transfer)),
    remoteRows: mean(answers.map(({ rows }) => rows?.remoteRows ?? 0)) / steps,
    remoteBytes: mean(answers.map(({ rows }) => rows?.remoteBytes ?? 0)) / steps,
  };
}
