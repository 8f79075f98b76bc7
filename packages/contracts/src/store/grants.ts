/** How long a grant for the artifact store is good at most; the stage that it is for may end before. */
export const grantLifeMs = 24 * 3_600_000;
/** A worker asks for the next one so often while its stage runs. */
export const grantRenewMs = grantLifeMs / 4;

/**
 * Where a stage stores a checkpoint: beside its output, not below it, as deleting one must not take the other along.
 */
export function checkpointPrefix(outputPrefix: string, epoch: number, step: number): string {
  return `${outputPrefix}.checkpoint-${epoch}-${step}`;
}

/** The key under which a worker stores what the others are to find in the doctor's check. */
export function doctorKey(checkId: string, workerId: string): string {
  return `doctor/${checkId}.${workerId}`;
}
