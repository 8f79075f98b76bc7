import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { getVersion } from "../datasets/dataset-service.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { getImport, type ImportWithFiles, loadImport } from "./import-queries.ts";
import { requireFewImports } from "./request-import.ts";
import { urlPurpose } from "./url-purpose.ts";

const active: ImportWithFiles["state"][] = ["WAITING", "RUNNING"];

/** Ends an import; nothing of it becomes part of the dataset. @throws AppError REQUEST_CONFLICT when it has ended */
export async function cancelImport(services: Services, viewer: Viewer, id: string): Promise<ImportWithFiles> {
  requireRole(viewer, "EDITOR");
  const { state } = await getImport(services, viewer, id);
  // Files that a version has stay there: then only the job that follows is being queued.
  const { count } = await services.prisma.import.updateMany({
    where: { id, state: { in: active }, versionId: null },
    data: { state: "CANCELLED", finishedAt: new Date(), waitReason: null },
  });
  if (count === 0) throw new AppError("REQUEST_CONFLICT", `The import has ended already; it is ${state}.`);
  services.imports.importer.cancelled(id);
  return loadImport(services, id);
}

/**
 * Fetches from the addresses of an import once more. After a success the files may be other ones: they are held against
 * no checksum, go into a new version, and are read as those of the last were. After a failure everything is as it was
 * asked for then.
 *
 * @throws AppError REQUEST_CONFLICT while it has not ended, or for too many imports; CREDENTIAL_UNREADABLE
 */
export async function repeatImport(services: Services, viewer: Viewer, id: string): Promise<ImportWithFiles> {
  requireRole(viewer, "EDITOR");
  const last = await getImport(services, viewer, id);
  if (active.includes(last.state))
    throw new AppError("REQUEST_CONFLICT", "The import has not ended; wait for that, or cancel it.");
  await requireFewImports(services, last.projectId);
  const { projectId, datasetId, published } = last;
  const owner = { projectId, createdBy: viewer.userId };
  const { sealer, importer } = services.imports;
  const hasSucceeded = last.state === "SUCCEEDED";
  const files = last.files.map(({ id: earlier, sealedUrl, expectedSha256, ...file }) => {
    const fileId = newId("impf");
    const url = sealer.open(sealedUrl, urlPurpose(earlier));
    const { index, name, source, query, credential } = file;
    const rowsDone = query === null ? null : 0n;
    const kept = {
      index,
      name,
      source,
      query,
      rowsDone,
      credential,
      expectedSha256: hasSucceeded ? null : expectedSha256,
    };
    return { id: fileId, sealedUrl: sealer.seal(url, urlPurpose(fileId)), ...kept, ...owner };
  });
  const spec = (hasSucceeded ? await specOfVersion(services, last) : null) ?? last.spec;
  const made = await services.prisma.import.create({
    data: {
      id: newId("imp"),
      datasetId,
      published,
      ...owner,
      replaces: last.replaces || (hasSucceeded && (await isOpen(services, viewer, datasetId))),
      spec: spec ?? Prisma.DbNull,
      files: { createMany: { data: files } },
    },
  });
  importer.wake();
  return loadImport(services, made.id);
}

/** How the files were read, if a graph was built of them. */
async function specOfVersion({ prisma }: Services, { versionId }: ImportWithFiles) {
  if (versionId === null) return null;
  const version = await prisma.datasetVersion.findUnique({ where: { id: versionId } });
  return version?.state === "READY" ? version.spec : null;
}

async function isOpen(services: Services, viewer: Viewer, datasetId: string): Promise<boolean> {
  const { state } = await getVersion(services, viewer, datasetId);
  return state === "UPLOADING" || state === "MAPPING";
}
