import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Services } from "../services.ts";
import { againOf, hasAdded } from "./fetch-again.ts";
import { getImport, type ImportWithFiles, loadImport } from "./import-queries.ts";
import { requireFewImports } from "./request-import.ts";

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
 * asked for then. What lies below a prefix of S3 is listed anew.
 *
 * @throws AppError REQUEST_CONFLICT while it has not ended, or for too many imports; CREDENTIAL_UNREADABLE; those
 * of listing a prefix
 */
export async function repeatImport(services: Services, viewer: Viewer, id: string): Promise<ImportWithFiles> {
  requireRole(viewer, "EDITOR");
  const last = await getImport(services, viewer, id);
  if (active.includes(last.state))
    throw new AppError("REQUEST_CONFLICT", "The import has not ended; wait for that, or cancel it.");
  await requireFewImports(services, last.projectId);
  const data = await againOf(services, viewer, last, await hasAdded(services, last));
  const made = await services.prisma.import.create({ data });
  services.imports.importer.wake();
  return loadImport(services, made.id);
}
