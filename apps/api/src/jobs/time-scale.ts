import {
  type EstimateLine,
  type FinishedJob,
  type JobEstimate,
  scaleTime,
  type TimeScale,
} from "@hopwise/gnn-core/estimate";
import { estimateOf, trainingSpecOf } from "../database/stored-json.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { shownModelOf } from "./job-artifacts.ts";

/** Enough for sizes of several orders, few enough to read at every change of the form. */
const numRecent = 20;

/** How the time of jobs here compares with the formula, for an estimate of this size. */
export async function measuredTimeScale(
  { prisma }: Pick<Services, "prisma">,
  projectId: string,
  modelType: string,
  estimate: Pick<JobEstimate, "explanation">,
): Promise<TimeScale> {
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
    select: finished,
  });
  return scaleTime(jobs.flatMap(finishedJobOf), timeParts(estimate.explanation));
}

const finished = {
  kind: true,
  estimate: true,
  spec: true,
  stages: {
    select: { kind: true, startedAt: true, finishedAt: true, output: { select: { info: true } } },
  },
} satisfies Prisma.JobSelect;

type Finished = Prisma.JobGetPayload<{ select: typeof finished }>;

/** What a job took for the epochs that it ran; none of a job whose estimate did not count all of its stages. */
function finishedJobOf({ kind, estimate, spec, stages }: Finished): FinishedJob[] {
  const lines = estimateOf({ estimate })?.explanation ?? [];
  const training = stages.find((stage) => stage.kind === "train");
  if (!training || !lines.some(({ of }) => of === "stageOverhead")) return [];
  const asked = trainingSpecOf({ kind, spec })?.train.epochs ?? 1;
  const run = training.output ? shownModelOf(training.output).epochs : undefined;
  return [{ ...timeParts(lines, (run ?? asked) / asked), seconds: secondsOf(stages) }];
}

/** From the start of the first stage to the end of the last; time in which the job waited between attempts counts. */
function secondsOf(stages: Finished["stages"]): number {
  const starts = stages.flatMap(({ startedAt }) => startedAt?.getTime() ?? []);
  const ends = stages.flatMap(({ finishedAt }) => finishedAt?.getTime() ?? []);
  return starts.length === 0 || ends.length === 0 ? 0 : (Math.max(...ends) - Math.min(...starts)) / 1000;
}

/**
 * The parts of an estimate's time.
 *
 * @param shareOfEpochs epochs that were run by those that were asked for, which the time of training goes with
 */
export function timeParts(
  lines: readonly EstimateLine[],
  shareOfEpochs = 1,
): Pick<FinishedJob, "overheadSeconds" | "workSeconds"> {
  const sumOf = (part: EstimateLine["of"]) =>
    lines.filter((line) => line.of === part).reduce((sum, { amount }) => sum + amount, 0);
  return {
    overheadSeconds: sumOf("timeOverhead") * shareOfEpochs + sumOf("stageOverhead"),
    workSeconds: sumOf("time") * shareOfEpochs + sumOf("stageTime"),
  };
}
