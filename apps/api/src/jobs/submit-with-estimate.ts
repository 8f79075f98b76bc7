import { AppError, isInferSpec } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import { requireRole } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { SubmitOptions } from "../job-state/queue-job.ts";
import type { Services } from "../services.ts";
import { estimateAndFit } from "./estimate-job.ts";
import type { Objection } from "./objection.ts";
import { submitInfer } from "./submit-infer.ts";
import { submitJob } from "./submit-job.ts";

/**
 * Submits a job of the kind that its spec names: one that trains together with what it is predicted to need, or one
 * that applies a model.
 *
 * @throws AppError JOB_DEVICE_UNAVAILABLE, JOB_TOO_LARGE when no online worker has the device or room for it, and
 * whatever `submitJob` and `submitInfer` throw
 */
export async function submitWithEstimate(
  services: Services,
  viewer: Viewer,
  spec: unknown,
  options: SubmitOptions,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  if (isInferSpec(spec)) return submitInfer(services, viewer, spec, options);
  const { estimate, objections } = await estimateAndFit(services, viewer, spec);
  requireWorkers(objections);
  return submitJob(services, viewer, spec, { ...options, estimate });
}

/** @throws AppError JOB_DEVICE_UNAVAILABLE, JOB_TOO_LARGE when something speaks against every worker */
export function requireWorkers(objections: readonly Objection[]): void {
  const [first] = objections;
  if (!first) return;
  const { code, pointer } = first;
  throw new AppError(code, objections.map(({ detail }) => detail).join(" "), { place: { pointer } });
}
