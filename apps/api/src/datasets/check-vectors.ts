import { AppError, type JobSpec } from "@hopwise/contracts";
import { isAmongUploaded } from "@hopwise/gnn-core/spec";
import { artifactInfo } from "../database/stored-json.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { JobServices } from "../job-state/queue-job.ts";

const shownFiles = 20;

/**
 * Holds the file of vectors that learned rows are to begin with against the files of the dataset version.
 *
 * @throws AppError JOB_SPEC_INVALID naming the files that there are
 */
export async function checkVectors(
  { prisma }: Pick<JobServices, "prisma">,
  { features }: Pick<JobSpec, "features">,
  { filesId }: Pick<DatasetVersion, "filesId">,
): Promise<void> {
  const wanted = features.embedding?.vectors?.file;
  if (wanted === undefined) return;
  const stored = filesId === null ? null : await prisma.artifact.findUnique({ where: { id: filesId } });
  const uploaded = stored ? artifactInfo("files", stored.info).files : [];
  if (isAmongUploaded(wanted, uploaded)) return;
  const names = uploaded.map(({ name }) => name);
  const pointer = "/features/embedding/vectors/file";
  const rest = names.length > shownFiles ? ` and ${names.length - shownFiles} more` : "";
  const there = names.length > 0 ? `${names.slice(0, shownFiles).join(", ")}${rest}` : "none";
  const message = `No file of the dataset is called "${wanted}"; there are: ${there}. Upload it with the others as a new version.`;
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}
