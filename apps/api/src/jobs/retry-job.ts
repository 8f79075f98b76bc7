import { AppError, isTerminal, type RetryRequest } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { specOf } from "../database/stored-json.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { SubmitOptions } from "../job-state/queue-job.ts";
import type { Services } from "../services.ts";
import { getJob } from "./job-queries.ts";
import { mergePatch } from "./merge-patch.ts";
import { submitInfer, submittedInferSpec } from "./submit-infer.ts";
import { submitWithEstimate } from "./submit-with-estimate.ts";

/**
 * Submits an ended job's spec again as a new job. What its finished stages made is reused; training goes on from the
 * last checkpoint, or begins anew when the request says so or there is none. `changes` edit any field of the spec.
 *
 * @throws AppError REQUEST_CONFLICT while the job goes on, or when it is none that was submitted; JOB_SPEC_INVALID with
 * the place of a change that training cannot go on with; and whatever `submitWithEstimate` throws
 */
export async function retryJob(
  services: Services,
  viewer: Viewer,
  jobId: string,
  { from, epochs, maxDuration, changes }: RetryRequest,
  options: SubmitOptions,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const job = await getJob(services, viewer, jobId);
  requireEnded(job);
  requireChangeable(changes);
  if (job.kind === "infer") return retryInfer(services, viewer, job, { epochs, maxDuration, changes }, options);
  const { continueFrom: earlier, ...spec } = specOf(job);
  const checkpoint = from === "start" ? null : ((await lastCheckpointOf(services, jobId)) ?? earlier ?? null);
  const before = {
    ...spec,
    project: job.projectId,
    ...(epochs === undefined ? {} : { train: { ...(spec["train"] as object), epochs } }),
    ...(maxDuration === undefined ? {} : { resources: { ...(spec["resources"] as object), maxDuration } }),
    ...(checkpoint === null ? {} : { continueFrom: checkpoint }),
  };
  const retried = mergePatch(before, changes);
  return submitWithEstimate(services, viewer, retried, options);
}

/** Applies that version of the model to that version of the dataset once more. */
async function retryInfer(
  services: Services,
  viewer: Viewer,
  job: Job,
  { epochs, maxDuration, changes }: Omit<RetryRequest, "from">,
  options: SubmitOptions,
): Promise<Job> {
  if (epochs !== undefined) {
    throw new AppError("REQUEST_INVALID", "/epochs: A job that applies a model has no epochs; leave them out.", {
      place: { pointer: "/epochs" },
    });
  }
  const spec = submittedInferSpec(specOf(job));
  const resources = { ...spec.resources, ...(maxDuration !== undefined && { maxDuration }) };
  const retried = mergePatch({ ...spec, project: job.projectId, resources }, changes);
  return submitInfer(services, viewer, retried, options);
}

/** A job is repeated as what it is, where it is. */
function requireChangeable(changes: RetryRequest["changes"]): void {
  const fixed = ["version", "kind", "project"].find((name) => name in changes);
  if (fixed === undefined) return;
  throw new AppError("REQUEST_INVALID", `/changes/${fixed}: It stays as it was; submit another job instead.`, {
    place: { pointer: `/changes/${fixed}` },
  });
}

function requireEnded({ kind, state }: Job): void {
  if (kind !== "train" && kind !== "infer") {
    throw new AppError(
      "REQUEST_CONFLICT",
      `A job of the kind "${kind}" is made by the service, which repeats it itself.`,
    );
  }
  if (isTerminal(state)) return;
  throw new AppError("REQUEST_CONFLICT", `The job is ${state}; cancel it or wait for its end before you run it again.`);
}

async function lastCheckpointOf({ prisma }: Services, jobId: string): Promise<string | null> {
  const checkpoint = await prisma.artifact.findFirst({
    where: { jobId, kind: "checkpoint", deletedAt: null },
    orderBy: [{ epoch: "desc" }, { step: "desc" }, { attempt: "desc" }],
    select: { id: true },
  });
  return checkpoint?.id ?? null;
}
