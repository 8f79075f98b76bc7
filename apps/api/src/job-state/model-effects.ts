import { keptModelNameOf } from "../database/stored-json.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import { addModelVersion, formOfVersion } from "./add-model-version.ts";
import type { JobRun } from "./job-run.ts";

/**
 * Keeps the model of a training job that has just succeeded under the name that its spec gives, in the transaction of
 * its success: whoever is killed afterwards, the version is there, once.
 */
export async function keepModelOfRun(tx: Prisma.TransactionClient, { job, stages, events }: JobRun): Promise<void> {
  const hasSucceeded = events.some(({ type, body }) => type === "JobStateChanged" && body.state === "SUCCEEDED");
  const name = hasSucceeded ? keptModelNameOf(job) : null;
  if (name === null) return;
  const artifactId = stages.findLast(({ kind }) => kind === "train")?.outputId;
  const formed = await formOfVersion(tx, job.datasetVersionId);
  if (!artifactId || !formed) return;
  await addModelVersion(tx, { name, note: "", job, artifactId, ...formed, userId: job.createdBy });
}
