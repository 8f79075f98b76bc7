import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { freshPrefix } from "./close-files.ts";
import { getDataset, getVersion } from "./dataset-service.ts";

/**
 * Makes the next version of a dataset, which is mapped anew; the versions before it, and jobs on them, stay as they
 * are.
 *
 * @param adds  keeps the mapping too: files that are uploaded to it hold rows that are added
 * @param withFiles  begins with the files of the newest version; else it has none, and other files are uploaded
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_CONFLICT while the newest version is neither READY nor FAILED, or has no
 * files to begin with, or no graph to add to
 */
export async function createVersion(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  { withFiles, adds = false }: { readonly withFiles: boolean; readonly adds?: boolean | undefined },
): Promise<DatasetVersion> {
  requireRole(viewer, "EDITOR");
  await getDataset(services, viewer, datasetId);
  const latest = await getVersion(services, viewer, datasetId);
  if (latest.state !== "READY" && latest.state !== "FAILED") throw unfinished(latest);
  if (adds) requireGraph(latest, withFiles);
  const { id, projectId, number, nextFile } = latest;
  const owner = { projectId, createdBy: viewer.userId };
  const sources = withFiles ? await services.prisma.sourceFile.findMany({ where: { versionId: id } }) : [];
  if (withFiles && sources.length === 0) {
    throw new AppError("REQUEST_CONFLICT", `Version ${number} has no files; make the next version without them.`);
  }
  const next = { id: newId("dsv"), datasetId, number: number + 1, ...owner };
  // The bytes stay where they are until the new set of files is closed: it then takes copies of its own.
  const files = sources.map(({ name, blobKey, bytes, sha256, source, importId, carriedFrom }) => {
    const kept = { name, blobKey, bytes, sha256, source, importId, carriedFrom: carriedFrom ?? number };
    return { id: newId("file"), ...kept, ...owner };
  });
  const carried = { nextFile, state: "MAPPING", sources: { createMany: { data: files } } } as const;
  // Two requests at once both find the same newest version: the second is answered with what the first has made.
  const made = await services.prisma.datasetVersion.upsert({
    where: { datasetId_number: { datasetId, number: number + 1 } },
    create: { ...next, ...(withFiles && carried), ...(adds && { addsTo: number }) },
    update: {},
  });
  if (made.filesPrefix !== null) return made;
  return services.prisma.datasetVersion.update({ where: { id: made.id }, data: { filesPrefix: freshPrefix(made) } });
}

/** Rows are added to those of a graph, by its mapping. */
function requireGraph({ number, state }: DatasetVersion, withFiles: boolean): void {
  if (!withFiles)
    throw new AppError("REQUEST_INVALID", "A version that adds to another keeps its files; leave withFiles out.", {
      place: { pointer: "/withFiles" },
    });
  if (state === "READY") return;
  const message = `Version ${number} is ${state} and has no graph to add to; map its files again, and add to what comes of them.`;
  throw new AppError("REQUEST_CONFLICT", message, { place: { pointer: "/adds" } });
}

function unfinished({ number, state }: DatasetVersion): AppError {
  const next =
    state === "INGESTING"
      ? "wait until its graph is built"
      : "upload to it, or map its files; the next version follows a finished one";
  return new AppError("REQUEST_CONFLICT", `Version ${number} of the dataset is ${state}: ${next}.`);
}
