import { AppError, contractVersion, type JobSpec, problemOf, type StageTask } from "@hopwise/contracts";
import { engineVersion, type Registry } from "@hopwise/gnn-core/spec";
import { newId } from "../database/ids.ts";
import type { Attempt, PrismaClient, Stage } from "../generated/prisma/client.ts";
import type { JobClock } from "./job-clock.ts";
import type { JobRun } from "./job-run.ts";
import { changeJob, type Tx } from "./job-store.ts";
import type { Leadership } from "./leader.ts";
import { makeAgain } from "./make-again.ts";
import { type Need, placeStage, type WorkerView } from "./placement.ts";
import { isGraphUnderWay } from "./remake-graphs.ts";
import { reuseKeyOf } from "./reuse-key.ts";
import { findReusable, lastCheckpoint, resolveInputs } from "./stage-inputs.ts";
import { outputPlace } from "./stage-output.ts";
import { type GrantedSlice, grantedSlices, slicesOf } from "./stage-slices.ts";
import { failBeforeRunning, leaveWorker } from "./transitions/failure-transitions.ts";
import { finishIfDone, raiseIncident } from "./transitions/job-transitions.ts";
import { queueStage, reuseArtifact, startAttempt } from "./transitions/stage-transitions.ts";

export interface GrantContext {
  readonly prisma: PrismaClient;
  readonly registry: Registry;
  readonly leadership: Pick<Leadership, "assert">;
  readonly clock: JobClock;
}

export type Grant =
  /** Queued on its workers: the tasks are to be enqueued there. */
  | { readonly kind: "queued"; readonly tasks: readonly WorkerTask[] }
  | {
      readonly kind: "waiting";
      readonly reason: string;
      readonly reserve: readonly WorkerView[];
      /** It waits for something else than workers: to be asked again in the next round. */
      readonly askAgain?: boolean;
    }
  /** Nothing more to do for this job now: it ended, or is busy. */
  | { readonly kind: "none" };

/** A task before it is enqueued, which adds the secrets that its worker gets. */
export type PlannedTask = Omit<StageTask, "rendezvous" | "grant">;

export interface WorkerTask {
  readonly workerId: string;
  readonly task: PlannedTask;
}

/**
 * Moves a job on until a stage of it is queued on its workers with all its slots, or it has to wait. Stages whose
 * artifact exists already (same reuse key) are passed over without a worker.
 */
export async function grantNextStage(
  jobId: string,
  workers: readonly WorkerView[],
  context: GrantContext,
): Promise<Grant> {
  const grant = await changeJob(context.prisma, jobId, async (run, tx) => {
    await context.leadership.assert(tx);
    const isOpen = run.job.state === "QUEUED" || run.job.state === "RUNNING";
    if (!isOpen || run.job.desired === "CANCEL" || run.activeStage !== null) return none;
    return moveOn(tx, run, workers, context);
  });
  return grant ?? none;
}

const none: Grant = { kind: "none" };

async function moveOn(tx: Tx, run: JobRun, workers: readonly WorkerView[], context: GrantContext): Promise<Grant> {
  await makeAgain(tx, run, context.registry, new Date());
  for (let stage = run.nextStage; stage !== null; stage = run.nextStage) {
    const now = new Date();
    try {
      const task = await draftTask(tx, run, stage, context.registry);
      const reused = await reuseFor(tx, run, stage, task, context.registry);
      if (reused === null) return placeAndQueue(tx, run, stage, task, workers, context);
      reuseArtifact(run, stage, reused, task.output.reuseKey, now);
      finishIfDone(run, now);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (await waitsForGraph(tx, run, error)) return waitFor(run, error.message);
      failBeforeRunning(run, stage, error.problem, now);
      return none;
    }
  }
  finishIfDone(run, new Date());
  return none;
}

/** Whether it is the dataset's graph that is damaged and being made again: the ingest that does so cannot wait for itself. */
async function waitsForGraph(tx: Tx, { job }: JobRun, { problem }: AppError): Promise<boolean> {
  return problem.code === "ARTIFACT_DAMAGED" && job.kind !== "ingest" && isGraphUnderWay(tx, job.datasetVersionId);
}

function waitFor(run: JobRun, reason: string): Grant {
  if (run.job.waitReason !== reason) run.changeJob({ waitReason: reason });
  return { kind: "waiting", reason, reserve: [], askAgain: true };
}

/** Everything of a task but its place. */
type TaskDraft = Pick<StageTask, "step" | "options" | "inputs"> & {
  output: Pick<StageTask["output"], "kind" | "reuseKey">;
};

async function draftTask(tx: Tx, run: JobRun, stage: Stage, registry: Registry): Promise<TaskDraft> {
  const component = registry.get("step", stage.kind);
  const inputs = await resolveInputs(tx, run, stage, registry);
  const reuseKey = reuseKeyOf({
    step: component.name,
    stepVersion: component.version,
    engine: engineVersion,
    options: stage.options,
    inputs: Object.fromEntries(Object.entries(inputs).map(([kind, { digest }]) => [kind, digest])),
  });
  return { step: stage.kind, options: stage.options, inputs, output: { kind: component.output, reuseKey } };
}

async function reuseFor(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  task: TaskDraft,
  registry: Registry,
): Promise<string | null> {
  if (registry.get("step", stage.kind).reusable !== true) return null;
  const artifact = await findReusable(tx, run.job.projectId, task.output.kind, task.output.reuseKey);
  return artifact?.id ?? null;
}

async function placeAndQueue(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  draft: TaskDraft,
  workers: readonly WorkerView[],
  { registry, clock }: GrantContext,
): Promise<Grant> {
  const current = run.attempt?.state === "RUNNING" ? run.attempt : null;
  const need = needOf(run, stage, registry);
  const placement = placeStage(need, workers, { holder: current?.workerId, preferred: run.attempt?.workerId });
  if ("waiting" in placement) {
    if (run.job.waitReason !== placement.waiting) run.changeJob({ waitReason: placement.waiting });
    return { kind: "waiting", reason: placement.waiting, reserve: placement.reserve };
  }

  const now = new Date();
  const { slices, device } = placement;
  const places = slices.map(({ worker: { announcement }, ranks }) => {
    const { id, bootId, host } = announcement;
    return { workerId: id, bootId, host, ranks };
  });
  const { workerId, bootId, host } = places[0] as (typeof places)[number];
  const granted = slices.reduce((sum, slice) => sum + slice.ranks, 0);
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
  queueStage(run, stage, { reuseKey: draft.output.reuseKey, ranks, slices: grantedSlices(places) }, now);
  for (const slice of slices) slice.worker.freeSlots -= slice.ranks;
  const resume = await lastCheckpoint(tx, run, stage);
  if (resume) run.changeAttempt({ resumedFromEpoch: resume.epoch });
  const tasks = slices.map(({ worker: { announcement } }, index) => ({
    workerId: announcement.id,
    task: completeTask(run, stage, draft, resume?.ref ?? null, { index, cores: announcement.cores }, clock),
  }));
  return { kind: "queued", tasks };
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

/** The task of one slice of a stage that is QUEUED already, to be enqueued again after Redis forgot it. */
export async function rebuildTask(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  index: number,
  { registry, clock }: Pick<GrantContext, "registry" | "clock">,
): Promise<PlannedTask> {
  const draft = await draftTask(tx, run, stage, registry);
  const resume = await lastCheckpoint(tx, run, stage);
  const worker = await tx.worker.findUnique({ where: { id: slicesOf(stage)[index]?.workerId ?? "" } });
  const { cores = 1 } = (worker?.announcement ?? {}) as { cores?: number };
  return completeTask(run, stage, draft, resume?.ref ?? null, { index, cores }, clock);
}

function completeTask(
  run: JobRun,
  stage: Stage,
  draft: TaskDraft,
  resume: StageTask["resume"],
  { index, cores }: { index: number; cores: number },
  clock: JobClock,
): PlannedTask {
  const slices = slicesOf(stage);
  const { firstRank, ranks } = slices[index] as GrantedSlice;
  const members = slices.reduce((sum, slice) => sum + slice.ranks, 0);
  const { id: jobId, projectId, attempt, requestId } = run.job;
  const { resources } = run.job.spec as unknown as Partial<JobSpec>;
  const threads = resources?.threadsPerRank ?? "auto";
  return {
    contract: contractVersion,
    projectId,
    jobId,
    attempt,
    stageIndex: stage.index,
    step: draft.step,
    options: draft.options,
    inputs: draft.inputs,
    resume,
    output: { ...draft.output, ...outputPlace(run, stage) },
    ranks: stage.ranks,
    samplers: members - stage.ranks,
    rankHosts: slices.filter((slice) => slice.firstRank < stage.ranks).length,
    slice: { index, count: slices.length, firstRank, ranks },
    device: stage.ranks > 1 || draft.step === "train" ? deviceOf(run) : "cpu",
    threadsPerRank: threads === "auto" ? Math.max(1, Math.floor(cores / ranks)) : threads,
    maxDurationMs: clock.remainingMs(run.job),
    ...(requestId === null ? {} : { requestId }),
  };
}

function deviceOf(run: JobRun): "cpu" | "cuda" {
  return run.attempt?.device === "cuda" ? "cuda" : "cpu";
}

function needOf(run: JobRun, stage: Stage, registry: Registry): Need {
  const ahead = run.stages.filter(({ index, state }) => index >= stage.index && state !== "SUCCEEDED");
  const { resources } = run.job.spec as unknown as Partial<JobSpec>;
  const membersOf = (each: Stage) => ranksOf(run, each, registry) + samplersOf(run, each, registry);
  const mostRanks = Math.max(...ahead.map(membersOf));
  const hosts = resources?.hosts ?? "auto";
  // Of the attempt that will run it: the one at work, or the next.
  const attempt = run.job.attempt + (run.attempt?.state === "RUNNING" ? 0 : 1);
  const components = ahead.map(({ kind }) => `step:${kind}@${registry.get("step", kind).version}`);
  return {
    ranks: membersOf(stage),
    mostRanks,
    fewestRanks: attempt > 1 ? Math.min(mostRanks, resources?.minRanks ?? mostRanks) : null,
    // Once there are no sampler processes to come, fewer hosts may do than they shared with the ranks.
    hosts: mostRanks === 1 ? 1 : hosts === "auto" ? "auto" : Math.min(hosts, mostRanks),
    device: resources?.device ?? "auto",
    labels: resources?.workerLabels ?? {},
    components: [...new Set(components)],
  };
}

/** The most ranks of any stage still to run. */
function mostRanksOf(run: JobRun, registry: Registry): number {
  return Math.max(
    ...run.stages.filter(({ state }) => state !== "SUCCEEDED").map((stage) => ranksOf(run, stage, registry)),
  );
}

/** How many ranks the job asks for in a stage; one that was granted before may have had fewer. */
function ranksOf({ job }: JobRun, { kind, ranks }: Stage, registry: Registry): number {
  const { resources } = job.spec as unknown as Partial<JobSpec>;
  return registry.get("step", kind).ranks === "all" ? (resources?.ranks ?? ranks) : 1;
}

/** How many sampler processes it asks for: of steps that draw batches. */
function samplersOf({ job }: JobRun, { kind }: Stage, registry: Registry): number {
  const { resources } = job.spec as unknown as Partial<JobSpec>;
  return registry.get("step", kind).createSampler ? (resources?.samplers ?? 0) : 0;
}
