import { AppError, type JobSpec } from "@hopwise/contracts";
import type { Project } from "../generated/prisma/client.ts";
import type { Tx } from "../job-state/job-store.ts";
import { monthOf, monthTitle, noHours, readHeldHours, shownHours } from "../projects/held-hours.ts";
import { isWaitingRow } from "./queue.ts";

/** What a job asks for; jobs of the service ask for one slot. */
type Resources = Pick<JobSpec["resources"], "ranks" | "samplers" | "device">;

/**
 * Refuses a job that its project has no room for. Inside the transaction that queues it, and under a lock of the
 * project's row where jobs are counted, so that two requests at once do not both get the last place.
 *
 * @throws AppError PROJECT_LIMIT, PROJECT_QUEUE_FULL, PROJECT_HOURS_USED
 */
export async function requireRoom(tx: Tx, projectId: string, resources: Resources | null): Promise<void> {
  await requireRoomForAll(tx, projectId, [resources]);
}

/** As `requireRoom`, of several jobs that are queued together: all of them or none. */
export async function requireRoomForAll(tx: Tx, projectId: string, jobs: readonly (Resources | null)[]): Promise<void> {
  const project = await tx.project.findUniqueOrThrow({ where: { id: projectId } });
  for (const resources of jobs) if (resources) requireSize(project, resources);
  await requireHours(tx, project);
  await requirePlaces(tx, project, jobs.length);
}

function requireSize({ name, maxSlots, maxDevices }: Project, { ranks, samplers, device }: Resources): void {
  const slots = ranks + samplers;
  if (maxSlots !== null && slots > maxSlots) {
    const parts = samplers > 0 ? `${ranks} ranks and ${samplers} sampler processes` : `${ranks} ranks`;
    throw refusal(`${parts} hold ${slots} slots, and the project "${name}" may hold ${maxSlots} at once`, "/ranks");
  }
  if (maxDevices !== null && device === "cuda" && ranks > maxDevices)
    throw refusal(
      `${ranks} ranks on CUDA devices, and the project "${name}" may hold ${maxDevices} at once`,
      "/device",
    );
}

function refusal(found: string, field: string): AppError {
  const pointer = `/resources${field}`;
  const advice = "Ask for fewer, or ask an admin for a higher limit.";
  return new AppError("PROJECT_LIMIT", `${pointer}: Found ${found}. ${advice}`, { place: { pointer } });
}

async function requireHours(tx: Tx, { id, name, monthlyRankHours }: Project): Promise<void> {
  if (monthlyRankHours === null) return;
  const month = monthOf(new Date());
  const used = (await readHeldHours(tx, month, [id])).get(id) ?? noHours;
  if (used.rankHours < monthlyRankHours) return;
  throw new AppError(
    "PROJECT_HOURS_USED",
    `The project "${name}" has used ${shownHours(used.rankHours)} of the ${shownHours(monthlyRankHours)} rank hours that it has in ${monthTitle(month)}. Submit the job from ${month.to.toISOString().slice(0, 10)} (UTC) on, or ask an admin for a higher limit.`,
  );
}

async function requirePlaces(tx: Tx, { id, name, maxWaitingJobs }: Project, numJobs: number): Promise<void> {
  if (maxWaitingJobs === null) return;
  await tx.$queryRaw`SELECT id FROM "Project" WHERE id = ${id} FOR NO KEY UPDATE`;
  const waiting = await tx.job.count({ where: { ...isWaitingRow, projectId: id } });
  if (waiting + numJobs <= maxWaitingJobs) return;
  const [what, next] =
    numJobs === 1
      ? ["Submit the job once one of them has begun", "cancel one"]
      : [`There is no room for ${numJobs} more: submit fewer at once`, "wait until some have begun"];
  throw new AppError(
    "PROJECT_QUEUE_FULL",
    `${waiting} jobs of the project "${name}" wait, and ${maxWaitingJobs} may. ${what}, ${next}, or ask an admin for a higher limit.`,
  );
}
