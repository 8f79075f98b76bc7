import type { PrismaClient } from "../generated/prisma/client.ts";
import { slicesOf } from "../job-state/stage-slices.ts";
import type { GrantHolder } from "./grant-claims.ts";

export type SliceHolder = Extract<GrantHolder, { job: string }>;

/**
 * Whether a slice of a stage still works: its attempt holds the fencing token, the stage is under way and it has not
 * ended.
 */
export async function isSliceAtWork(
  prisma: PrismaClient,
  { job, attempt, stage, slice }: SliceHolder,
): Promise<boolean> {
  const found = await prisma.stage.findUnique({
    where: { jobId_index: { jobId: job, index: stage } },
    select: {
      attempt: true,
      state: true,
      slices: true,
      job: {
        select: {
          attempt: true,
          finishedAt: true,
          deletedAt: true,
          attempts: { where: { number: attempt }, select: { state: true } },
        },
      },
    },
  });
  if (!found || found.attempt !== attempt || found.job.attempt !== attempt) return false;
  if (found.state !== "QUEUED" && found.state !== "RUNNING") return false;
  if (found.job.finishedAt !== null || found.job.deletedAt !== null) return false;
  if (found.job.attempts[0]?.state !== "RUNNING") return false;
  const granted = slicesOf(found)[slice];
  return granted !== undefined && granted.state !== "ENDED";
}
