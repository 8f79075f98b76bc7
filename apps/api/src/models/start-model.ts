import { AppError, graphFormOf, type JobSpec, startObjection } from "@hopwise/contracts";
import { artifactInfo, datasetSpecOf, trainedOnOf, trainedSpecOf } from "../database/stored-json.ts";
import type { DatasetVersion, Prisma } from "../generated/prisma/client.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { versionToApply } from "./applicable-version.ts";

/** The kept model that a training begins with. */
export interface StartModel {
  readonly versionId: string;
  readonly artifactId: string;
  /** Names the version for good */
  readonly ref: string;
}

/**
 * The model that a job spec starts from, held against the spec and the graph; null: the spec starts from none.
 *
 * @throws AppError REQUEST_NOT_FOUND, JOB_SPEC_INVALID with the place of what does not fit
 */
export async function startModelOf(
  { prisma, registry }: Pick<JobServices, "prisma" | "registry">,
  projectId: string,
  spec: JobSpec,
  version: DatasetVersion,
): Promise<StartModel | null> {
  if (!spec.startFrom) return null;
  const { version: start, ref } = await versionToApply(prisma, projectId, spec.startFrom.model, "/startFrom/model");
  const graph = version.graphId && (await prisma.artifact.findUnique({ where: { id: version.graphId } }));
  if (!graph) {
    throw new AppError("DATASET_NOT_READY", "The graph of this dataset version is not stored any more.", {
      place: { pointer: "/dataset" },
    });
  }
  const info = artifactInfo("graph", graph.info);
  const form = { ...graphFormOf(info, datasetSpecOf(version)), weights: info.weights };
  const objection = startObjection(spec, trainedSpecOf(start), trainedOnOf(start), form, registry);
  if (!objection) return { versionId: start.id, artifactId: start.artifactId, ref };
  const { pointer, message } = objection;
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

/**
 * For the transaction that writes a job: from there on the job keeps the model, and one that was deleted a moment ago
 * is not taken up again.
 *
 * @throws AppError REQUEST_CONFLICT
 */
export async function requireStillKept(tx: Prisma.TransactionClient, versionId: string, ref: string): Promise<void> {
  if (await tx.modelVersion.findUnique({ where: { id: versionId } })) return;
  throw new AppError("REQUEST_CONFLICT", `The version ${ref} has just been deleted; choose another one.`);
}
