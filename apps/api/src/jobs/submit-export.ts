import { AppError } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import { type ExportFormats, planExport } from "../job-state/plan-stages.ts";
import { hashOf, type JobServices, queueJob, type SubmitOptions, serviceJobDuration } from "../job-state/queue-job.ts";
import { requireRoom } from "./require-room.ts";

/** Below every training job (1 … 10): what is exported has been waiting in the store all along. */
const exportPriority = 0;

/**
 * Queues further formats of a finished job's results.
 *
 * @throws AppError REQUEST_CONFLICT when the job has not succeeded, REQUEST_NOT_FOUND, AUTH_FORBIDDEN, and
 * what `requireRoom` throws
 */
export async function submitExport(
  services: JobServices,
  viewer: Viewer,
  jobId: string,
  formats: ExportFormats,
  options: SubmitOptions = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const source = await services.prisma.job.findFirst({ where: { id: jobId, deletedAt: null, ...visible(viewer) } });
  if (!source) throw notFound("job", jobId);
  if (source.state !== "SUCCEEDED") {
    throw new AppError(
      "REQUEST_CONFLICT",
      `The job is ${source.state}; its results can be exported once it has SUCCEEDED.`,
    );
  }
  const draft = {
    kind: "export",
    name: `Export of ${source.name}`,
    spec: { formats, resources: { maxDuration: serviceJobDuration } },
    tags: {},
    priority: exportPriority,
    projectId: source.projectId,
    datasetVersionId: source.datasetVersionId,
    sourceJobId: source.id,
    requestHash: hashOf({ jobId, formats }),
  };
  const stages = planExport(formats, services.registry);
  return queueJob(services, viewer, draft, stages, options, (tx) => requireRoom(tx, draft.projectId, null));
}
