import { AppError, type DatasetSpec, datasetSpec, schemaIssue } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { closeFiles } from "./close-files.ts";
import { getVersion } from "./dataset-service.ts";
import { submitIngest } from "./submit-ingest.ts";

/**
 * Confirms how the files become a graph and queues the ingest.
 *
 * @param reference  a dataset id, `id@version`, or a version's id
 * @throws AppError SPEC_INVALID with the JSON pointer, DATASET_FILE_MISSING, REQUEST_CONFLICT
 */
export async function confirmSpec(
  services: Services,
  viewer: Viewer,
  reference: string,
  input: unknown,
  requestId?: string,
): Promise<Job> {
  requireRole(viewer, "EDITOR");
  const version = await getVersion(services, viewer, reference);
  const parsed = datasetSpec.safeParse(input);
  if (!parsed.success) {
    const { pointer, message } = schemaIssue(parsed.error);
    throw new AppError("SPEC_INVALID", `${pointer}: ${message}`, { place: { pointer } });
  }
  await requireFiles(services, version.id, parsed.data);
  await closeFiles(services, viewer, version.id);
  return submitIngest(services, viewer, version.id, parsed.data, { requestId });
}

async function requireFiles({ prisma }: Services, versionId: string, spec: DatasetSpec): Promise<void> {
  const sources = await prisma.sourceFile.findMany({ where: { versionId }, select: { name: true } });
  const uploaded = new Set(sources.map(({ name }) => name));
  const features = spec.nodes?.features;
  const named = [
    ...spec.edges.files.map((file, i) => ({ file, pointer: `/edges/files/${i}` })),
    ...(spec.nodes?.files ?? []).map((file, i) => ({ file, pointer: `/nodes/files/${i}` })),
    ...(features && "file" in features ? [{ file: features.file, pointer: "/nodes/features/file" }] : []),
  ];
  for (const { file, pointer } of named) {
    if (uploaded.has(file)) continue;
    const there = uploaded.size === 0 ? "none are uploaded yet" : `uploaded are ${[...uploaded].join(", ")}`;
    throw new AppError("DATASET_FILE_MISSING", `The spec names the file "${file}"; ${there}.`, {
      place: { file, pointer },
    });
  }
}
