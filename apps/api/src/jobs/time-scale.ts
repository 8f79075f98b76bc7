import {
  type EstimateLine,
  type FinishedTraining,
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
  return scaleTime(jobs.flatMap(trainingOf), timeParts(estimate.explanation));
}

const finished = {
  kind: true,
  estimate: true,
  spec: true,
  stages: {
    where: { kind: "train" },
    select: { startedAt: true, finishedAt: true, output: { select: { info: true } } },
  },
} satisfies Prisma.JobSelect;

/** What a job took for the epochs that it ran; none of a job whose estimate did not tell start and work apart. */
function trainingOf({
  kind,
  estimate,
  spec,
  stages: [stage],
}: Prisma.JobGetPayload<{ select: typeof finished }>): FinishedTraining[] {
  const lines = estimateOf({ estimate })?.explanation ?? [];
  if (!stage?.startedAt || !stage.finishedAt || !lines.some(({ of }) => of === "timeOverhead")) return [];
  const { overheadSeconds, workSeconds } = timeParts(lines);
  const asked = trainingSpecOf({ kind, spec })?.train.epochs ?? 1;
  const run = stage.output ? shownModelOf(stage.output).epochs : undefined;
  const share = (run ?? asked) / asked;
  const seconds = (stage.finishedAt.getTime() - stage.startedAt.getTime()) / 1000;
  return [{ overheadSeconds: overheadSeconds * share, workSeconds: workSeconds * share, seconds }];
}

/** The parts of an estimate's time. */
export function timeParts(lines: readonly EstimateLine[]): Pick<FinishedTraining, "overheadSeconds" | "workSeconds"> {
  const sumOf = (of: EstimateLine["of"]) =>
    lines.filter((line) => line.of === of).reduce((sum, { amount }) => sum + amount, 0);
  return { overheadSeconds: sumOf("timeOverhead"), workSeconds: sumOf("time") };
}
