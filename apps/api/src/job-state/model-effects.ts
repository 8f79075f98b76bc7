import { adoptedOf, keptModelNameOf } from "../database/stored-json.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { addModelVersion, formOfVersion } from "./add-model-version.ts";
import type { JobRun } from "./job-run.ts";

/**
 * Keeps the model of a training job that has just succeeded under the name that its spec gives, in the transaction of
 * its success: whoever is killed afterwards, the version is there, once.
 */
export async function keepModelOfRun(tx: Prisma.TransactionClient, { job, stages, events }: JobRun): Promise<void> {
  const hasSucceeded = events.some(({ type, body }) => type === "JobStateChanged" && body.state === "SUCCEEDED");
  if (hasSucceeded && job.kind === "adopt") return keepAdopted(tx, { job, stages });
  const name = hasSucceeded ? keptModelNameOf(job) : null;
  if (name === null) return;
  const artifactId = stages.findLast(({ kind }) => kind === "train")?.outputId;
  const formed = await formOfVersion(tx, job.datasetVersionId);
  if (!artifactId || !formed) return;
  await addModelVersion(tx, { name, note: "", job, artifactId, ...formed, userId: job.createdBy });
}

/** Makes what was uploaded a version, which says of itself what its card said; the place of its files goes. */
async function keepAdopted(
  tx: Prisma.TransactionClient,
  { job, stages }: Pick<JobRun, "job" | "stages">,
): Promise<void> {
  const artifactId = stages.at(-1)?.outputId;
  if (!artifactId) return;
  const { model: name, note, adopted } = adoptedOf(job);
  const { spec, trainedOn, dataset, datasetName } = adopted;
  const told = { id: job.id, projectId: job.projectId, spec: spec as Prisma.JsonObject, datasetName };
  const kept = { name, note, artifactId, trainedOn, dataset, userId: job.createdBy, isUploaded: true };
  await addModelVersion(tx, { ...kept, job: told });
  const uploads = { versions: { some: { id: job.datasetVersionId ?? "" } }, isForModel: true };
  await tx.dataset.updateMany({ where: uploads, data: { deletedAt: job.finishedAt } });
}
