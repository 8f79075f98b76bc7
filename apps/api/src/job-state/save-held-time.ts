import { countMembers } from "@hopwise/contracts";
import { newId } from "../database/ids.ts";
import type { Stage } from "../generated/prisma/client.ts";
import { isHeld, type JobRun } from "./job-run.ts";
import type { Tx } from "./job-store.ts";
import { slicesOf } from "./stage-slices.ts";

/**
 * Writes down what stages hold from this transaction on, and what they gave back with it. By this service's clock:
 * what a worker says of the time is no measure of what its job is charged with.
 */
export async function saveHeldTime(tx: Tx, run: JobRun, now: Date): Promise<void> {
  const { id: jobId, projectId } = run.job;
  for (const stage of run.stages) {
    if (!run.changedStages.has(stage.index) || isHeld(stage) === run.heldBefore.has(stage.index)) continue;
    if (isHeld(stage)) {
      const owner = { id: newId("held"), projectId, jobId, stageId: stage.id };
      await tx.heldTime.create({ data: { ...owner, ...holdingsOf(stage), startedAt: now } });
    } else {
      await tx.heldTime.updateMany({ where: { stageId: stage.id, endedAt: null }, data: { endedAt: now } });
    }
  }
}

export interface Holdings {
  /** Those of ranks and sampler processes */
  readonly slots: number;
  /** Those that ranks have for themselves */
  readonly devices: number;
}

/** What a granted stage holds on all its hosts. */
export function holdingsOf(stage: Pick<Stage, "slices">): Holdings {
  const slices = slicesOf(stage);
  return {
    slots: slices.reduce((sum, slice) => sum + countMembers(slice), 0),
    devices: slices.reduce((sum, { devices }) => sum + devices.length, 0),
  };
}
