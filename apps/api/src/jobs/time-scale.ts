import type { EstimateLine } from "@hopwise/gnn-core/estimate";
import type { Services } from "../services.ts";

/** How the time that jobs took compares with what the formula said. */
export interface TimeScale {
  /** Measured seconds over the formula's. */
  readonly factor: number;
  readonly numJobs: number;
}

/** What is kept of a training job that has succeeded. */
export interface FinishedTraining {
  /** The `time` lines of its estimate. */
  readonly formulaSeconds: number;
  readonly epochsAsked: number;
  /** Fewer when it stopped early. */
  readonly epochsRun: number;
  readonly trainSeconds: number;
}

const numRecent = 5;

/** The median over jobs, each of the seconds it took per second of the formula for the epochs it ran; null without any. */
export function timeScaleOf(jobs: readonly FinishedTraining[]): TimeScale | null {
  const factors = jobs
    .map((job) => job.trainSeconds / (job.formulaSeconds * (job.epochsRun / job.epochsAsked)))
    .filter((factor) => Number.isFinite(factor) && factor > 0)
    .toSorted((a, b) => a - b);
  const [low, high] = [factors[(factors.length - 1) >> 1], factors[factors.length >> 1]];
  return low === undefined || high === undefined ? null : { factor: (low + high) / 2, numJobs: factors.length };
}

/** The scale of the project's newest jobs with this model. */
export async function measuredTimeScale(
  { prisma }: Pick<Services, "prisma">,
  projectId: string,
  modelType: string,
): Promise<TimeScale | null> {
  const jobs = await prisma.job.findMany({
    where: {
      projectId,
      kind: "train",
      state: "SUCCEEDED",
      deletedAt: null,
      spec: { path: ["model", "type"], equals: modelType },
    },
    orderBy: { finishedAt: "desc" },
    take: numRecent,
    select: {
      estimate: true,
      spec: true,
      stages: {
        where: { kind: "train" },
        select: { startedAt: true, finishedAt: true, output: { select: { info: true } } },
      },
    },
  });
  return timeScaleOf(
    jobs.map(({ estimate, spec, stages: [stage] }) => {
      const lines = (estimate as { explanation?: readonly EstimateLine[] } | null)?.explanation ?? [];
      const { epochs } = (spec as { train: { epochs: number } }).train;
      const info = stage?.output?.info as { epochs?: number } | undefined;
      const trainMs = (stage?.finishedAt?.getTime() ?? 0) - (stage?.startedAt?.getTime() ?? 0);
      return {
        formulaSeconds: lines.filter(({ of }) => of === "time").reduce((sum, { amount }) => sum + amount, 0),
        epochsAsked: epochs,
        epochsRun: info?.epochs ?? epochs,
        trainSeconds: trainMs / 1000,
      };
    }),
  );
}
