import { AppError, countFrozen, freezeObjection, type JobSpec, startObjection } from "@hopwise/contracts";
import { trainedOnOf, trainedSpecOf, weightsOfModel } from "../database/stored-json.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { JobServices } from "../job-state/queue-job.ts";
import { versionToApply } from "./applicable-version.ts";
import { graphToFit } from "./graph-to-fit.ts";

/** The kept model that a training begins with. */
export interface StartModel {
  readonly versionId: string;
  readonly artifactId: string;
  /** Names the version for good */
  readonly ref: string;
  /** Numbers in the weights that stay as they are */
  readonly numFrozen: number;
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
  const form = await graphToFit(prisma, version);
  const weights = weightsOfModel(start.artifact);
  const objection =
    startObjection(spec, trainedSpecOf(start), trainedOnOf(start), form, registry) ?? freezeObjection(spec, weights);
  if (!objection) {
    return { versionId: start.id, artifactId: start.artifactId, ref, numFrozen: countFrozen(spec, weights) };
  }
  const { pointer, message } = objection;
  throw new AppError("JOB_SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

/** The spec with the version that it starts from named for good. */
export function withStart(spec: JobSpec, start: StartModel | null): JobSpec {
  if (!spec.startFrom || !start) return spec;
  return { ...spec, startFrom: { ...spec.startFrom, model: start.ref } };
}
