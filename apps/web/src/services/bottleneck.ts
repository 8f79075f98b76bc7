import type { JobSnapshot } from "./job-state.ts";

type Rank = Pick<JobSnapshot["ranks"][number], "breakdown" | "localRows" | "remoteRows">;

/** What keeps ranks from computing, in plain words, and what to try. */
export interface Bottleneck {
  readonly title: string;
  readonly detail: string;
}

/** From this share of their steps on, waiting is what the ranks do. */
const muchWaiting = 0.5;

/**
 * Whether ranks wait for their batches during half of their steps or more: `wait` is the time without one, while
 * `sample` and `gather` are what threads beside the ranks spend on drawing neighbours and reading rows. Null: they
 * compute.
 */
export function bottleneckOf(ranks: readonly Rank[]): Bottleneck | null {
  const known = ranks.flatMap(({ breakdown }) => breakdown ?? []);
  const sum = (part: keyof (typeof known)[number]) => known.reduce((total, one) => total + one[part], 0);
  const waiting = sum("wait");
  const all = waiting + sum("forward") + sum("backward") + sum("allReduce") + sum("optimizer");
  if (waiting === 0 || waiting / all < muchWaiting) return null;
  const share = `${((waiting / all) * 100).toFixed(0)} %`;
  return sum("gather") > sum("sample") ? ofRows(share, remoteShare(ranks)) : ofNeighbors(share);
}

/** From so much training on it is worth a notice: a job of a few seconds waits for everything once. */
const leastMs = 60_000;

/** The bottleneck of a job that has trained for a minute or more, by its newest attempt. */
export function bottleneckOfJob({ ranks, series }: Pick<JobSnapshot, "ranks" | "series">): Bottleneck | null {
  const { times = [] } = series.find(({ name }) => name === "train/loss") ?? {};
  const trainedMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return trainedMs >= leastMs ? bottleneckOf(newestRanks(ranks)) : null;
}

/** The members of the newest attempt */
export function newestRanks<Row extends { readonly attempt: number }>(ranks: readonly Row[]): readonly Row[] {
  const newest = Math.max(0, ...ranks.map(({ attempt }) => attempt));
  return ranks.filter(({ attempt }) => attempt === newest);
}

function remoteShare(ranks: readonly Rank[]): number {
  const remote = ranks.reduce((sum, rank) => sum + (rank.remoteRows ?? 0), 0);
  const all = ranks.reduce((sum, rank) => sum + (rank.localRows ?? 0), remote);
  return all > 0 ? remote / all : 0;
}

function ofRows(share: string, remote: number): Bottleneck {
  const far =
    "Many rows lie with other ranks: try a partitioner that cuts fewer edges, or a larger resources.remoteCache.";
  const near =
    "Rows are read from disk or memory: try smaller fanouts, features of fewer bytes, or a worker with more memory, in which the features stay.";
  return {
    title: "The training is stalled on reading features",
    detail: `Ranks wait for their batches during ${share} of a step, mostly for rows of features. ${remote >= 0.2 ? far : near}`,
  };
}

function ofNeighbors(share: string): Bottleneck {
  return {
    title: "The training is stalled on drawing neighbours",
    detail: `Ranks wait for their batches during ${share} of a step, mostly for neighbours to be drawn. Try smaller fanouts or fewer layers, more sampler processes, or fewer ranks on this host.`,
  };
}
