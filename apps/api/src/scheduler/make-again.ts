import { problemOf } from "@hopwise/contracts";
import type { Registry } from "@hopwise/gnn-core/spec";
import { damageOf, replaceDamaged } from "../artifacts/artifact-checks.ts";
import type { Stage } from "../generated/prisma/client.ts";
import type { JobRun } from "../job-state/job-run.ts";
import type { Tx } from "../job-state/job-store.ts";
import { leaveWorker } from "../job-state/transitions/failure-transitions.ts";
import { fresh, raiseIncident } from "../job-state/transitions/job-transitions.ts";

/**
 * Has those steps of the job run again whose artifacts are damaged and still needed, unless an intact one of the same
 * content is there: it takes their place.
 */
export async function makeAgain(tx: Tx, run: JobRun, registry: Registry, now: Date): Promise<void> {
  const outputs = run.stages.flatMap(({ outputId }) => outputId ?? []);
  if ((await damageOf(tx, outputs)).size === 0) return;
  await replaceDamaged(tx);
  await readOutputs(tx, run);
  const damage = await damageOf(
    tx,
    run.stages.flatMap(({ outputId }) => outputId ?? []),
  );
  // From the last to the first: what is to run again needs its own inputs.
  for (const stage of run.stages.toReversed()) {
    const found = damage.get(stage.outputId ?? "");
    if (found && isNeeded(run, stage, registry)) runAgain(run, stage, found.map(({ blob }) => blob).join(", "), now);
  }
}

/** What `replaceDamaged` has changed below the run. */
async function readOutputs(tx: Tx, run: JobRun): Promise<void> {
  const stages = await tx.stage.findMany({ where: { jobId: run.job.id }, select: { index: true, outputId: true } });
  for (const { index, outputId } of stages) {
    const stage = run.stages.find((one) => one.index === index);
    if (stage && stage.outputId !== outputId) run.changeStage(stage, { outputId });
  }
}

/** Whether a later stage that has yet to run reads what this one makes. */
function isNeeded(run: JobRun, stage: Stage, registry: Registry): boolean {
  const { output } = registry.get("step", stage.kind);
  const reads = (kind: string) => {
    const { inputs, readsIfMade = [] } = registry.get("step", kind);
    return inputs.includes(output) || readsIfMade.includes(output);
  };
  return run.stages.some(({ index, state, kind }) => index > stage.index && state !== "SUCCEEDED" && reads(kind));
}

function runAgain(run: JobRun, stage: Stage, files: string, now: Date): void {
  const message = `What the step ${stage.kind} has stored is damaged (${files}): it runs again.`;
  // A new attempt stores under a new prefix.
  if (run.attempt?.state === "RUNNING") leaveWorker(run, problemOf("ARTIFACT_DAMAGED", message), now);
  else raiseIncident(run, stage, { code: "ARTIFACT_DAMAGED", message }, now);
  run.changeStage(stage, { ...fresh, state: "PENDING" });
  run.recordStage(stage, now);
}
