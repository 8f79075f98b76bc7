import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import { type ChosenReaders, planMap } from "../job-state/plan-stages.ts";
import { type JobServices, queueJob, type SubmitOptions } from "../job-state/queue-job.ts";
import { addedVersion } from "./added-version.ts";
import { serviceJob, versionToRead } from "./service-job.ts";

/** Queues the preview of a dataset version's files; those without a chosen reader are read as they show themselves. */
export async function submitMap(
  services: JobServices,
  viewer: Viewer,
  versionId: string,
  readers: ChosenReaders,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await versionToRead(services, viewer, versionId);
  const addsTo = await addedVersion(services, version);
  const draft = serviceJob("map", `Preview of ${version.dataset.name}`, version, { readers });
  return queueJob(services, viewer, draft, planMap(readers, services.registry, addsTo), options);
}
