import type { SweepAnswer } from "@hopwise/contracts";
import type { Registry, TaskFacts } from "@hopwise/gnn-core/spec";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { type Page, type PageRequest, takePage } from "../database/page.ts";
import { specOf } from "../database/stored-json.ts";
import type { JobState, Prisma, Sweep } from "../generated/prisma/client.ts";
import { taskOfJob } from "../job-state/job-task.ts";
import type { Services } from "../services.ts";
import { type BestSetting, bestOf } from "./best-setting.ts";
import { adviceOfSweep } from "./search/advice.ts";
import { searchOf } from "./search/search-state.ts";
import { storedSettings, withChanges } from "./settings.ts";
import { type SettingSummary, summariesOf } from "./sweep-summary.ts";

export type SweepCounts = SweepAnswer["counts"];

/** A sweep with what has become of its jobs. */
export interface ShownSweep extends Sweep {
  readonly counts: SweepCounts;
  readonly numSettings: number;
  /** When its last job ended; null as long as one goes on. */
  readonly finishedAt: Date | null;
}

/** A sweep with its settings and the best of them. */
export interface SummedSweep {
  readonly sweep: ShownSweep;
  readonly settings: readonly SettingSummary[];
  readonly best: BestSetting | null;
}

type Database = Pick<Services, "prisma">;

/** The sweeps that the viewer may see, newest first. */
export async function listSweeps(
  services: Database,
  viewer: Viewer,
  { project, ...listing }: PageRequest & { readonly project?: string | null | undefined },
): Promise<Page<ShownSweep>> {
  const { prisma } = services;
  const where: Prisma.SweepWhereInput = { AND: [visible(viewer), project ? { projectId: project } : {}] };
  const page = await takePage(listing, {
    find: (take, beyond: Prisma.SweepWhereInput) =>
      prisma.sweep.findMany({
        where: { AND: [where, beyond] },
        take,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      }),
    count: () => prisma.sweep.count({ where }),
    placeOf: (id) => prisma.sweep.findFirst({ where: { id, ...visible(viewer) } }),
    beyond: ({ createdAt, id }) => ({ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }),
  });
  return { ...page, nodes: await shownSweeps(services, page.nodes) };
}

export async function findSweep(services: Database, viewer: Viewer, id: string): Promise<ShownSweep | null> {
  const sweep = await services.prisma.sweep.findFirst({ where: { id, ...visible(viewer) } });
  const [shown = null] = await shownSweeps(services, sweep ? [sweep] : []);
  return shown;
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getSweep(services: Database, viewer: Viewer, id: string): Promise<ShownSweep> {
  const sweep = await findSweep(services, viewer, id);
  if (!sweep) throw notFound("sweep", id);
  return sweep;
}

/** A sweep summed up over its seeds. */
export async function sumUp({ prisma }: Database, sweep: ShownSweep): Promise<SummedSweep> {
  const jobs = await prisma.job.findMany({
    where: { sweepId: sweep.id, deletedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, setting: true, seed: true, state: true, validation: true, result: true },
  });
  const settings = summariesOf(storedSettings(sweep.settings), jobs);
  const { chiefMetric: metric } = sweep;
  const direction = directionOf(sweep);
  const best = metric !== null && direction ? bestOf(settings, { metric, direction }, adviceOfSweep(sweep)) : null;
  return { sweep, settings, best };
}

/** How what a sweep's jobs learn is judged; null: its task is not installed any more. */
export function taskOfSweep(
  { spec, settings }: Pick<Sweep, "spec" | "settings">,
  registry: Registry,
): TaskFacts | null {
  const [first] = storedSettings(settings);
  return taskOfJob({ kind: "train", spec: withChanges(specOf({ spec }), first?.changes ?? {}) }, registry);
}

/** Whether more or less of the metric is better; null: the settings are judged by nothing. */
export function directionOf({ direction }: Pick<Sweep, "direction">): "max" | "min" | null {
  return direction === "max" || direction === "min" ? direction : null;
}

async function shownSweeps({ prisma }: Database, sweeps: readonly Sweep[]): Promise<ShownSweep[]> {
  if (sweeps.length === 0) return [];
  const groups = await prisma.job.groupBy({
    by: ["sweepId", "state"],
    where: { sweepId: { in: sweeps.map(({ id }) => id) }, deletedAt: null },
    _count: { _all: true },
    _max: { finishedAt: true },
  });
  return sweeps.map((sweep) => {
    const own = groups.filter(({ sweepId }) => sweepId === sweep.id);
    const counts = countsOf(own.map(({ state, _count }) => ({ state, count: _count._all })));
    const ends = own.flatMap(({ _max }) => _max.finishedAt?.getTime() ?? []);
    const isSearching = searchOf(sweep) !== null && sweep.searchEndedAt === null;
    const hasEnded = counts.waiting + counts.running === 0 && !isSearching;
    const lastEnd = Math.max((sweep.searchEndedAt ?? sweep.createdAt).getTime(), ...ends);
    const finishedAt = hasEnded ? new Date(lastEnd) : null;
    return { ...sweep, counts, numSettings: storedSettings(sweep.settings).length, finishedAt };
  });
}

const countedAs: Readonly<Record<JobState, keyof SweepCounts>> = {
  QUEUED: "waiting",
  RUNNING: "running",
  PAUSING: "running",
  PAUSED: "waiting",
  CANCELLING: "running",
  CANCELLED: "cancelled",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
};

/** How many jobs are in which state. */
export function countsOf(states: readonly { readonly state: JobState; readonly count: number }[]): SweepCounts {
  const counts = { jobs: 0, waiting: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };
  for (const { state, count } of states) {
    counts.jobs += count;
    counts[countedAs[state]] += count;
  }
  return counts;
}

/** What is shown of a search: its budget and what it has decided; null: the sweep is a grid. */
export function shownSearch(sweep: Pick<Sweep, "search" | "searchEndedAt">): ShownSearch | null {
  const state = searchOf(sweep);
  if (!state) return null;
  const { budgetSeconds, decisions } = state;
  return { budgetSeconds, hasEnded: sweep.searchEndedAt !== null, decisions };
}

export interface ShownSearch {
  readonly budgetSeconds: number;
  readonly hasEnded: boolean;
  readonly decisions: string[];
}
