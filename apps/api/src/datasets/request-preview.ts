import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import { submitMap } from "../scheduler/submit.ts";
import type { Services } from "../services.ts";
import { closeFiles } from "./close-files.ts";
import { getVersion } from "./dataset-service.ts";

/**
 * Closes the set of files and queues the job that looks into them.
 *
 * @throws AppError AUTH_FORBIDDEN below the role editor; then the set stays open
 */
export async function requestPreview(
  services: Services,
  viewer: Viewer,
  reference: string,
  requestId?: string,
): Promise<Job> {
  requireRole(viewer, "EDITOR"); // before anything is closed
  const version = await getVersion(services, viewer, reference);
  await closeFiles(services, viewer, version.id);
  return submitMap(services, viewer, version.id, { requestId });
}
