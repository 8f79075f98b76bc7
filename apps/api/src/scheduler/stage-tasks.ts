import { contractVersion, countMembers, type StageTask } from "@hopwise/contracts";
import { engineVersion, type Registry } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { reuseKeyOf } from "../artifacts/reuse-key.ts";
import { resourcesOf } from "../database/stored-json.ts";
import type { Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import type { Tx } from "../job-state/job-store.ts";
import { outputPlace } from "../job-state/stage-output.ts";
import { type GrantedSlice, slicesOf } from "../job-state/stage-slices.ts";
import type { JobClock } from "./job-clock.ts";
import { checkpointFor, resolveInputs } from "./stage-inputs.ts";

/** A task before it is enqueued, which adds the secrets that its worker gets. */
export type PlannedTask = Omit<StageTask, "rendezvous" | "grant">;

export interface WorkerTask {
  readonly workerId: string;
  readonly task: PlannedTask;
}

/** Everything of a task but its place. */
export type TaskDraft = Pick<StageTask, "step" | "options" | "inputs"> & {
  output: Pick<StageTask["output"], "kind" | "reuseKey">;
  /** Its ranks compute with the worker's backend. */
  usesDevice: boolean;
};

export async function draftTask(tx: Tx, run: JobRun, stage: Stage, registry: Registry): Promise<TaskDraft> {
  const component = registry.get("step", stage.kind);
  const inputs = await resolveInputs(tx, run, stage, registry);
  const reuseKey = reuseKeyOf({
    step: component.name,
    stepVersion: component.version,
    engine: engineVersion,
    options: stage.options,
    inputs: Object.fromEntries(Object.entries(inputs).map(([kind, { digest }]) => [kind, digest])),
  });
  const usesDevice = component.ranks === "all";
  return { step: stage.kind, usesDevice, options: stage.options, inputs, output: { kind: component.output, reuseKey } };
}

/** A worker of another contract may not say how many it has. */
const announcedCores = z.object({ cores: z.number().catch(1) });

/** The task of one slice of a stage that is QUEUED already, to be enqueued again after Redis forgot it. */
export async function rebuildTask(
  tx: Tx,
  run: JobRun,
  stage: Stage,
  index: number,
  { registry, clock }: { readonly registry: Registry; readonly clock: JobClock },
): Promise<PlannedTask> {
  const draft = await draftTask(tx, run, stage, registry);
  const resume = await checkpointFor(tx, run, stage);
  const worker = await tx.worker.findUnique({ where: { id: slicesOf(stage)[index]?.workerId ?? "" } });
  const { cores } = announcedCores.parse(worker?.announcement ?? {});
  return completeTask(run, stage, draft, resume?.ref ?? null, { index, cores }, clock);
}

export function completeTask(
  run: JobRun,
  stage: Stage,
  draft: TaskDraft,
  resume: StageTask["resume"],
  { index, cores }: { index: number; cores: number },
  clock: JobClock,
): PlannedTask {
  const slices = slicesOf(stage);
  const slice = slices[index] as GrantedSlice;
  const { ranks, samplers, devices } = slice;
  const { id: jobId, projectId, attempt, requestId } = run.job;
  const resources = resourcesOf(run.job);
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
    samplers: slices.reduce((sum, each) => sum + each.samplers.count, 0),
    rankHosts: slices.filter((each) => each.ranks.count > 0).length,
    slice: { index, count: slices.length, ranks, samplers, devices },
    device: draft.usesDevice ? deviceOf(run) : "cpu",
    threadsPerRank: threads === "auto" ? Math.max(1, Math.floor(cores / countMembers(slice))) : threads,
    maxDurationMs: clock.remainingMs(run.job),
    ...(requestId === null ? {} : { requestId }),
  };
}

function deviceOf(run: JobRun): "cpu" | "cuda" {
  return run.attempt?.device === "cuda" ? "cuda" : "cpu";
}
