/** Names one run of one stage; `keyName` is also the field in `hw:acked` and the BullMQ job id. */
export interface StageKey {
  readonly jobId: string;
  readonly attempt: number;
  readonly stageIndex: number;
}

export function keyName({ jobId, attempt, stageIndex }: StageKey): string {
  return `${jobId}-${attempt}-${stageIndex}`;
}

/** The reverse of `keyName`; null for a name that is not one. */
export function parseKeyName(name: string): StageKey | null {
  const found = /^([A-Za-z0-9_-]+)-(\d+)-(\d+)$/.exec(name);
  return found ? { jobId: found[1] ?? "", attempt: Number(found[2]), stageIndex: Number(found[3]) } : null;
}
