import { AppError, type KeepModelRequest } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import { addModelVersion, formOfVersion } from "../job-state/add-model-version.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import type { Services } from "../services.ts";
import { getModelVersion, type ShownVersion } from "./model-queries.ts";

/**
 * Keeps the model of a training job as the next version under a name, whatever becomes of the job. Asked for again, it
 * is the version that is there.
 *
 * @throws AppError REQUEST_NOT_FOUND, REQUEST_CONFLICT while the job has not succeeded, JOB_WITHOUT_RESULTS when it
 * trained no model or its model is not stored any more, AUTH_FORBIDDEN
 */
export async function keepModel(
  services: Pick<Services, "prisma">,
  viewer: Viewer,
  { name, job: jobId, note }: KeepModelRequest,
): Promise<ShownVersion> {
  requireRole(viewer, "EDITOR");
  const { prisma } = services;
  const job = await prisma.job.findFirst({ where: { id: jobId, deletedAt: null, ...visible(viewer) } });
  if (!job) throw notFound("job", jobId);
  requireTrained(job);
  const { id } = await prisma.$transaction(async (tx) => {
    const stage = await tx.stage.findFirst({
      where: { jobId, kind: "train", output: { kind: "model", deletedAt: null } },
      orderBy: { index: "desc" },
    });
    const formed = await formOfVersion(tx, job.datasetVersionId);
    if (!stage?.outputId || !formed) throw notStored();
    return addModelVersion(tx, { name, note, job, artifactId: stage.outputId, ...formed, userId: viewer.userId });
  }, transactionLimits);
  return getModelVersion(services, viewer, id);
}

function requireTrained({ kind, state }: Job): void {
  if (kind !== "train") {
    throw new AppError("JOB_WITHOUT_RESULTS", `This is a job of the kind "${kind}"; only training jobs make models.`);
  }
  if (state === "SUCCEEDED") return;
  throw new AppError("REQUEST_CONFLICT", `The job is ${state}; its model can be kept once it has SUCCEEDED.`);
}

function notStored(): AppError {
  return new AppError(
    "JOB_WITHOUT_RESULTS",
    "The model of this job, or the graph that it was trained on, is not stored any more; train again.",
  );
}
