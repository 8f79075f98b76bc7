import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { hashOf, type JobDraft, type JobServices, serviceJobDuration } from "../job-state/queue-job.ts";
import type { VersionWithDataset } from "./trainable-version.ts";

/** A job that the service makes itself: ahead of training, because a person waits for it. */
export function serviceJob(
  kind: string,
  name: string,
  version: VersionWithDataset,
  spec: Record<string, unknown>,
): JobDraft {
  return {
    kind,
    name,
    spec: {
      ...spec,
      dataset: `${version.datasetId}@${version.number}`,
      resources: { maxDuration: serviceJobDuration },
    },
    tags: {},
    priority: 8,
    projectId: version.projectId,
    datasetVersionId: version.id,
    requestHash: hashOf({ kind, version: version.id, spec }),
  };
}

/**
 * The version that the service's own job reads.
 *
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function versionToRead({ prisma }: JobServices, viewer: Viewer, id: string): Promise<VersionWithDataset> {
  const where = { id, ...visible(viewer), dataset: { deletedAt: null } };
  const version = await prisma.datasetVersion.findFirst({ where, include: { dataset: true } });
  if (!version) throw notFound("dataset version", id);
  return version;
}
