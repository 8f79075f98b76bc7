import type { PrismaClient, Project } from "../generated/prisma/client.ts";
import { type ActiveJob, activeStageOf } from "../job-state/active-jobs.ts";
import { holdingsOf } from "../job-state/save-held-time.ts";
import { monthOf, monthTitle, noHours, readHeldHours, shownHours } from "../projects/held-hours.ts";
import { ProjectShare } from "./project-share.ts";

/** How long the sum of a month's hours is good for: it is read over many rows, and rounds are short. */
const hoursAgeMs = 10_000;

/** The shares of projects that have limits, as each round of the scheduler begins with them. */
export class ProjectShares {
  readonly #prisma: Pick<PrismaClient, "project" | "$queryRaw">;
  /** Hours of the month by project, and when they were read. */
  #hours: { readonly at: number; readonly used: ReadonlyMap<string, number> } | null = null;

  constructor(prisma: Pick<PrismaClient, "project" | "$queryRaw">) {
    this.#prisma = prisma;
  }

  /**
   * @param jobs all that have not ended: what their active stages hold counts
   * @param waiting nobody asks for the shares of other projects
   * @returns by project; those that are left out have no limit
   */
  async read(jobs: readonly ActiveJob[], waiting: readonly ActiveJob[]): Promise<ReadonlyMap<string, ProjectShare>> {
    const ids = [...new Set(waiting.map(({ projectId }) => projectId))];
    if (ids.length === 0) return new Map();
    const isLimited = [{ maxSlots: { not: null } }, { maxDevices: { not: null } }, { monthlyRankHours: { not: null } }];
    const projects = await this.#prisma.project.findMany({ where: { id: { in: ids }, OR: isLimited } });
    const used = await this.#monthHours(projects);
    return new Map(projects.map((project) => [project.id, shareOf(project, jobs, used.get(project.id) ?? 0)]));
  }

  async #monthHours(projects: readonly Project[]): Promise<ReadonlyMap<string, number>> {
    const ids = projects.flatMap(({ id, monthlyRankHours }) => (monthlyRankHours === null ? [] : [id]));
    if (ids.length === 0) return new Map();
    const now = performance.now();
    const isFresh = this.#hours !== null && now - this.#hours.at < hoursAgeMs;
    if (this.#hours && isFresh && ids.every((id) => this.#hours?.used.has(id))) return this.#hours.used;
    const read = await readHeldHours(this.#prisma, monthOf(new Date()), ids);
    const used = new Map(ids.map((id) => [id, (read.get(id) ?? noHours).rankHours]));
    this.#hours = { at: now, used };
    return used;
  }
}

function shareOf(project: Project, jobs: readonly ActiveJob[], usedHours: number): ProjectShare {
  const { id, name, maxSlots, maxDevices } = project;
  const held = jobs
    .filter(({ projectId }) => projectId === id)
    .flatMap((job) => activeStageOf(job) ?? [])
    .map(holdingsOf)
    .reduce((sum, { slots, devices }) => ({ slots: sum.slots + slots, devices: sum.devices + devices }), {
      slots: 0,
      devices: 0,
    });
  return new ProjectShare({ name, slots: maxSlots, devices: maxDevices }, held, hoursUsedUp(project, usedHours));
}

function hoursUsedUp({ name, monthlyRankHours }: Project, used: number): string | null {
  if (monthlyRankHours === null || used < monthlyRankHours) return null;
  const month = monthOf(new Date());
  return `The project "${name}" has used ${shownHours(used)} of the ${shownHours(monthlyRankHours)} rank hours that it has in ${monthTitle(month)}; the job begins on ${month.to.toISOString().slice(0, 10)} (UTC), or when an admin sets a higher limit.`;
}
