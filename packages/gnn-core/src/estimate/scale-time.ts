/** What one job took, beside what its estimate had said. */
export interface FinishedJob {
  /** What the estimate said of start and steps, and of the work, for the epochs that were run. */
  readonly overheadSeconds: number;
  readonly workSeconds: number;
  readonly seconds: number;
}

/** Factors of this machine, or of this model on it, against the formula. */
export interface TimeScale {
  readonly overhead: number;
  readonly work: number;
  /** Jobs that had something to say. */
  readonly numJobs: number;
}

interface Weighted {
  readonly factor: number;
  readonly weight: number;
}

/**
 * Learns two factors from finished jobs: of what every step costs whatever its size, and of the work. A job speaks for
 * each of them by its share of that job's estimate, and the louder the nearer its size is to that of the job asked for:
 * a hundred toy jobs, whose time is nearly all start and steps, say next to nothing about the work of a large one.
 * The formula itself is a voice too, so that one job alone cannot carry a factor away; factors are weighted medians of
 * logarithms, which single outliers do not move.
 *
 * @param asked the same parts of the estimate to be scaled
 */
export function scaleTime(
  jobs: readonly FinishedJob[],
  asked: Pick<FinishedJob, "overheadSeconds" | "workSeconds">,
): TimeScale {
  const size = asked.overheadSeconds + asked.workSeconds;
  const heard = jobs.flatMap(({ overheadSeconds, workSeconds, seconds }) => {
    const estimated = overheadSeconds + workSeconds;
    const factor = seconds / estimated;
    if (!Number.isFinite(factor) || factor <= 0) return [];
    const nearness = 1 / (1 + Math.abs(Math.log10(estimated / Math.max(size, 1e-9))));
    return [{ factor, nearness, workShare: workSeconds / estimated }];
  });
  const factorOf = (share: (job: (typeof heard)[number]) => number) =>
    weightedMedian([
      { factor: 1, weight: ownVoice },
      ...heard.map((job) => ({ factor: job.factor, weight: job.nearness * share(job) ** 2 })),
    ]);
  return {
    overhead: factorOf(({ workShare }) => 1 - workShare),
    work: factorOf(({ workShare }) => workShare),
    numJobs: heard.length,
  };
}

/** As much as half a job of the same size whose time is all work. */
const ownVoice = 0.5;

/** Between the two middle ones it goes over smoothly, by their weights. */
function weightedMedian(voices: readonly Weighted[]): number {
  const sorted = voices.filter(({ weight }) => weight > 0).toSorted((a, b) => a.factor - b.factor);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [i, { factor, weight }] of sorted.entries()) {
    const middle = below + weight / 2;
    if (middle >= half) {
      const before = sorted[i - 1];
      if (!before) return factor;
      const previous = below - before.weight / 2;
      const share = (half - previous) / (middle - previous);
      return Math.exp(Math.log(before.factor) * (1 - share) + Math.log(factor) * share);
    }
    below += weight;
  }
  return sorted.at(-1)?.factor ?? 1;
}
