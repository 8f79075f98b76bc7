import { GnnError } from "../errors/gnn-error.ts";
import type { Collective } from "./collective.ts";

/**
 * A barrier at which all ranks learn whether one of them was told to stop, so that they stop at the same place.
 *
 * @throws GnnError CANCELLED on every rank as soon as the signal of one is aborted
 */
export async function agreeToContinue(collective: Collective, signal: AbortSignal): Promise<void> {
  const flag = new Float32Array([signal.aborted ? 1 : 0]);
  await collective.allReduceSum(flag);
  if (flag[0] !== 0) throw cancelled();
}

/** Whether every rank can do something. All of them ask at the same place. */
export async function everyRank(collective: Collective, can: boolean): Promise<boolean> {
  const unable = Float32Array.of(can ? 0 : 1);
  await collective.allReduceSum(unable);
  return unable[0] === 0;
}

export function cancelled(): GnnError {
  return new GnnError("CANCELLED", "The work was cancelled; every rank stopped at the same step.");
}
