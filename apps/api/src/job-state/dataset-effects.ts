import { Prisma } from "../generated/prisma/client.ts";
import type { JobRun } from "./job-run.ts";

/**
 * What a job's end means for its dataset version. A version that is READY never changes, and only the newest
 * job of a kind may move a pointer: an old preview that ends late does not replace a newer one.
 */
export async function applyToDataset(tx: Prisma.TransactionClient, run: JobRun): Promise<void> {
  const { kind, state, datasetVersionId } = run.job;
  if (datasetVersionId === null || (kind !== "map" && kind !== "ingest")) return;
  if (state === "SUCCEEDED") await pointAtResult(tx, run, datasetVersionId);
  else if (state === "FAILED") await explainFailure(tx, run, datasetVersionId);
  else if (state === "CANCELLED" && kind === "ingest") await reopen(tx, datasetVersionId);
}

async function pointAtResult(tx: Prisma.TransactionClient, run: JobRun, id: string): Promise<void> {
  const outputId = run.stages.at(-1)?.outputId;
  const isRepeat = !run.events.some(({ type }) => type === "JobStateChanged");
  if (!outputId || isRepeat || (await isSuperseded(tx, run, id))) return;
  const { digest } = await tx.artifact.findUniqueOrThrow({ where: { id: outputId }, select: { digest: true } });
  if (run.job.kind === "map") {
    await tx.datasetVersion.updateMany({ where: { id, state: { not: "READY" } }, data: { previewId: outputId } });
    // A preview that ends after a failed ingest does not take the ingest's problem away.
    await tx.datasetVersion.updateMany({
      where: { id, state: { in: ["UPLOADING", "MAPPING"] } },
      data: { problem: Prisma.DbNull },
    });
    return;
  }
  await tx.datasetVersion.updateMany({
    where: { id, state: "INGESTING" },
    data: {
      state: "READY",
      graphId: outputId,
      contentHash: digest,
      readyAt: run.job.finishedAt,
      problem: Prisma.DbNull,
    },
  });
}

/**
 * A failed preview leaves the version open for a spec written by hand; a failed ingest closes it until the next one.
 */
async function explainFailure(tx: Prisma.TransactionClient, run: JobRun, id: string): Promise<void> {
  if (await isSuperseded(tx, run, id)) return;
  const problem = run.job.problem as Prisma.InputJsonValue;
  if (run.job.kind === "map") {
    await tx.datasetVersion.updateMany({ where: { id, state: { in: ["UPLOADING", "MAPPING"] } }, data: { problem } });
  } else {
    await tx.datasetVersion.updateMany({ where: { id, state: "INGESTING" }, data: { state: "FAILED", problem } });
  }
}

async function reopen(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.datasetVersion.updateMany({ where: { id, state: "INGESTING" }, data: { state: "MAPPING" } });
}

async function isSuperseded(tx: Prisma.TransactionClient, run: JobRun, datasetVersionId: string): Promise<boolean> {
  const { kind, createdAt } = run.job;
  const newer = await tx.job.findFirst({
    where: { datasetVersionId, kind, createdAt: { gt: createdAt } },
    select: { id: true },
  });
  return newer !== null;
}
