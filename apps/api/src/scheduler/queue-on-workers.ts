import { problemOf } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { newId } from "../database/ids.ts";
import type { Attempt, Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import type { Tx } from "../job-state/job-store.ts";
import type { Holdings } from "../job-state/save-held-time.ts";
import { grantedSlices } from "../job-state/stage-slices.ts";
import { leaveWorker } from "../job-state/transitions/failure-transitions.ts";
import { raiseIncident } from "../job-state/transitions/job-transitions.ts";
import { queueStage, startAttempt } from "../job-state/transitions/stage-transitions.ts";
import { deviceGuide, deviceTitle, lastWithDevice } from "../workers/device-workers.ts";
import type { JobClock } from "./job-clock.ts";
import type { Need, WorkerView } from "./need.ts";
import { hasDevice } from "./objection.ts";
import { placeStage } from "./placement.ts";
import type { ProjectShare } from "./project-share.ts";
import { roomInProject } from "./room-in-project.ts";
import { checkpointFor } from "./stage-inputs.ts";
import { mostRanksOf, needOf, ranksOf } from "./stage-need.ts";
import { completeTask, type TaskDraft, type WorkerTask } from "./stage-tasks.ts";
import { placesOf, takeFrom } from "./worker-views.ts";

/** Queued on its workers: the tasks are to be enqueued there. */
export interface Queued {
  readonly kind: "queued";
  readonly tasks: readonly WorkerTask[];
}

export interface Waiting {
  readonly kind: "waiting";
  readonly reason: string;
  readonly reserve: readonly WorkerView[];
  readonly lacks: "slots" | "devices";
  /** What its project keeps for it; null: nothing. */
  readonly keep: Holdings | null;
  /** It waits for something else than workers: to be asked again in the next round. */
  readonly askAgain?: boolean;
}

export interface QueueContext {
  readonly registry: Registry;
  readonly clock: JobClock;
  /** What the job's project may be given still; null: it has no limits. */
  readonly share: ProjectShare | null;
}

/** Queues a stage on workers that have its slots together, in the attempt that is at work there or in a new one. */
export async function queueOnWorkers(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  draft: TaskDraft,
  workers: readonly WorkerView[],
  { registry, clock, share }: QueueContext,
): Promise<Queued | Waiting> {
  const current = run.attempt?.state === "RUNNING" ? run.attempt : null;
  const need = needOf(run, stage, registry);
  const room = roomInProject(need, workers, share, run.job.attempt === 0);
  if (room.objection !== null) return waitForProject(run, room.objection, room.wanted);
  const known = { holder: current?.workerId, preferred: run.attempt?.workerId };
  const placement = placeStage(need, room.workers, known);
  if ("waiting" in placement) {
    const reason = (await missingDevice(tx, need, workers)) ?? placement.waiting;
    if (run.job.waitReason !== reason) run.changeJob({ waitReason: reason });
    const { reserve, lacks } = placement;
    return { kind: "waiting", reason, reserve, lacks, keep: reserve.length > 0 ? room.wanted : null };
  }

  // Before anything is changed: a checkpoint that is gone ends the job before it runs.
  const resume = await checkpointFor(tx, run, stage);
  const now = new Date();
  const { slices, device } = placement;
  const places = placesOf(slices);
  const { workerId, bootId, host } = places[0] as (typeof places)[number];
  const granted = slices.reduce((sum, { members }) => sum + members, 0);
  // Whoever has lost slots gives up sampler processes first: the bits do not depend on them.
  const wanted = ranksOf(run, stage, registry);
  const ranks = Math.min(granted, wanted);
  // A restarted worker needs a new attempt too: the lease of its former life may still be there.
  if (current && (current.workerId !== workerId || current.bootId !== bootId)) {
    leaveWorker(run, awayProblem(current), now);
  }
  if (run.attempt?.state !== "RUNNING")
    startAttempt(run, { id: newId("attempt"), workerId, bootId, host, ranks: mostRanksOf(run, registry), device }, now);
  if (wanted > 1) noteRanks(run, stage, ranks, wanted, now);
  queueStage(run, stage, { reuseKey: draft.output.reuseKey, ranks, slices: grantedSlices(places, ranks) }, now);
  takeFrom(slices);
  share?.take({ slots: granted, devices: slices.reduce((sum, slice) => sum + (slice.devices?.length ?? 0), 0) });
  if (resume) run.changeAttempt({ resumedFromEpoch: resume.epoch });
  const tasks = slices.map(({ worker: { announcement } }, index) => ({
    workerId: announcement.id,
    task: completeTask(run, stage, draft, resume?.ref ?? null, { index, cores: announcement.cores }, clock),
  }));
  return { kind: "queued", tasks };
}

/** It leaves the workers to jobs of other projects. */
function waitForProject(run: JobRun, reason: string, wanted: Holdings): Waiting {
  if (run.job.waitReason !== reason) run.changeJob({ waitReason: reason });
  return { kind: "waiting", reason, reserve: [], lacks: "slots", keep: wanted };
}

/** Why a job waits whose device no worker has that is there; null when some worker has it, or any will do. */
async function missingDevice(tx: Tx, { device }: Need, workers: readonly WorkerView[]): Promise<string | null> {
  if (device === "auto" || workers.some(({ announcement }) => hasDevice(announcement, device))) return null;
  const title = deviceTitle(device);
  const last = await lastWithDevice(tx, device);
  const since = last
    ? `The last one that had it, ${last.id} on ${last.host}, was seen at ${last.lastSeen.toISOString()}.`
    : "None has ever announced it.";
  return `No worker that is online has ${title}. ${since} The job begins when one announces it (${deviceGuide}), or can be cancelled.`;
}

/** The job page says so when a job goes on with fewer ranks than it asked for. */
function noteRanks(run: JobRun, stage: Stage, ranks: number, wanted: number, now: Date): void {
  if (run.attempt?.ranks === ranks) return;
  run.changeAttempt({ ranks });
  if (ranks === wanted) return;
  const message = `Attempt ${run.job.attempt} runs ${stage.kind} on ${ranks} of the ${wanted} ranks asked for, as workers were lost. The batches stay the same; sums over the ranks may differ in their last bits.`;
  raiseIncident(run, stage, { code: "RANKS_CHANGED", message }, now);
}

function awayProblem({ host }: Attempt) {
  return problemOf(
    "WORKER_LOST",
    `The worker on ${host} stopped between two stages; the job goes on in a new attempt.`,
  );
}
