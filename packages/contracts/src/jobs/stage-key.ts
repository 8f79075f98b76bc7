import type { StageTask } from "./stage-task.ts";

/** Names what one host runs of a stage; `keyName` is also the field in `hw:acked` and the BullMQ job id. */
export interface StageKey {
  readonly jobId: string;
  readonly attempt: number;
  readonly stageIndex: number;
  /** Which of the stage's hosts this is. */
  readonly slice: number;
}

export function keyName({ jobId, attempt, stageIndex, slice }: StageKey): string {
  return `${jobId}-${attempt}-${stageIndex}${slice === 0 ? "" : `.${slice}`}`;
}

export function keyOfTask({ jobId, attempt, stageIndex, slice }: StageTask): StageKey {
  return { jobId, attempt, stageIndex, slice: slice.index };
}

/** The reverse of `keyName`; null for a name that is not one. */
export function parseKeyName(name: string): StageKey | null {
  const found = /^([A-Za-z0-9_-]+)-(\d+)-(\d+)(?:\.(\d+))?$/.exec(name);
  if (!found) return null;
  const [, jobId = "", attempt, stageIndex, slice = 0] = found;
  return { jobId, attempt: Number(attempt), stageIndex: Number(stageIndex), slice: Number(slice) };
}
