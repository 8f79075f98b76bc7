import { terminalJobStates } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { problemOfRow } from "../database/stored-json.ts";
import { type Job, Prisma, type PrismaClient, type Sweep } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { show } from "../notices/notice-text.ts";
import type { SweepEnd, SweepEnds, ToldSetting, ToldSweep } from "../notices/told-sweep.ts";
import { bestOf } from "./best-setting.ts";
import { adviceOfSweep } from "./search/advice.ts";
import { searchOf } from "./search/search-state.ts";
import { storedSettings } from "./settings.ts";
import { countsOf, directionOf, taskOfSweep } from "./sweep-queries.ts";
import { summariesOf } from "./sweep-summary.ts";

const hasEnded = {
  isEndDue: true,
  jobs: { none: { deletedAt: null, state: { notIn: [...terminalJobStates] } } },
  OR: [{ search: { equals: Prisma.DbNull } }, { searchEndedAt: { not: null } }],
} satisfies Prisma.SweepWhereInput;

/** Ends of sweeps, from the flags that their jobs raise: see decision 0097. */
export function sweepEnds(prisma: PrismaClient, registry: Registry): SweepEnds {
  return {
    async due() {
      const sweeps = await prisma.sweep.findMany({ where: hasEnded, take: 20, select: { id: true } });
      return sweeps.map(({ id }) => id);
    },
    take: (tx, id) => takeEnd(tx, id, registry),
  };
}

/** `done` when a job has succeeded, `failed` when none has; null when only cancelled jobs are left of it. */
async function takeEnd(tx: Tx, id: string, registry: Registry): Promise<SweepEnd | null> {
  await tx.$queryRaw`SELECT id FROM "Sweep" WHERE id = ${id} FOR UPDATE`;
  const sweep = await tx.sweep.findFirst({ where: { id, ...hasEnded } });
  if (!sweep) return null;
  await tx.sweep.update({ where: { id }, data: { isEndDue: false } });
  const jobs = await tx.job.findMany({ where: { sweepId: id, deletedAt: null }, orderBy: { finishedAt: "asc" } });
  const told = toldSweep(sweep, jobs);
  const { succeeded, failed } = told.counts;
  const lastMs = Math.max(sweep.searchEndedAt?.getTime() ?? 0, ...jobs.map((job) => job.finishedAt?.getTime() ?? 0));
  const end = { at: new Date(lastMs), sweep: told, best: jobs.find((job) => job.id === told.best?.jobId) ?? null };
  if (succeeded > 0) return { ...end, event: "done", message: doneText(sweep, told, registry) };
  const isGivenUp = jobs.length === 0 && searchOf(sweep) !== null;
  return failed > 0 || isGivenUp ? { ...end, event: "failed", message: failedText(sweep, jobs) } : null;
}

function toldSweep(sweep: Sweep, jobs: readonly Job[]): ToldSweep {
  const { id, name, projectId, datasetName, chiefMetric } = sweep;
  const counts = countsOf(jobs.map(({ state }) => ({ state, count: 1 })));
  return { id, name, projectId, datasetName, chiefMetric, counts, best: bestSetting(sweep, jobs) };
}

function bestSetting(sweep: Sweep, jobs: readonly Job[]): ToldSetting | null {
  const { chiefMetric: metric } = sweep;
  const direction = directionOf(sweep);
  const summaries = summariesOf(storedSettings(sweep.settings), jobs);
  const best = metric !== null && direction ? bestOf(summaries, { metric, direction }, adviceOfSweep(sweep)) : null;
  const summary = best && summaries[best.setting];
  if (!summary) return null;
  const { title: setting, validation, test } = summary;
  return { jobId: best.jobId, setting, validation: validation?.mean ?? null, test: test?.mean ?? null };
}

function doneText(sweep: Sweep, { counts, best, chiefMetric }: ToldSweep, registry: Registry): string {
  const { jobs, succeeded } = counts;
  const jobsText = jobs === 1 ? "its job has succeeded" : `${succeeded} of ${jobs} jobs have succeeded`;
  const what = `${shownSweep(sweep)} is done: ${jobsText}`;
  const metric = taskOfSweep(sweep, registry)?.metrics.find(({ name }) => name === chiefMetric);
  if (!best || !metric) return `${what}.`;
  const figures = [
    metric.title,
    ...(best.validation === null ? [] : [`validation ${show(best.validation, metric)}`]),
    ...(best.test === null ? [] : [`test ${show(best.test, metric)}`]),
  ].join(", ");
  // A sweep over seeds alone has one setting, which changes nothing.
  return best.setting === "" ? `${what} (${figures}).` : `${what}; best is ${best.setting} (${figures}).`;
}

function failedText(sweep: Sweep, jobs: readonly Job[]): string {
  const first = jobs.find(({ state }) => state === "FAILED");
  const problem = first && problemOfRow(first);
  const reason = problem ? ` The first failure: ${problem.detail}` : "";
  if (jobs.length > 0) return `${shownSweep(sweep)} has failed: none of its jobs has succeeded.${reason}`;
  return `${shownSweep(sweep)} has failed: ${searchOf(sweep)?.decisions.at(-1) ?? "it has no jobs."}`;
}

function shownSweep(sweep: Sweep): string {
  return `${searchOf(sweep) ? "Search" : "Sweep"} “${sweep.name}”`;
}
