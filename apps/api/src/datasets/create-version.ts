import { AppError, datasetSpec } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { freshPrefix } from "./close-files.ts";
import { getDataset, getVersion } from "./dataset-service.ts";
import { type CarriedFile, joinCarried, joinsFrom } from "./join-carried.ts";
import { uploadNumber } from "./upload-number.ts";

/**
 * Makes the next version of a dataset, which is mapped anew; the versions before it, and jobs on them, stay as they
 * are.
 *
 * @param adds  keeps the mapping of the newest graph, and its files: what is uploaded to it holds rows that are added
 * @param withFiles  begins with the files of the newest version; else it has none, and other files are uploaded
 * @throws AppError REQUEST_NOT_FOUND; REQUEST_CONFLICT while the newest version is neither READY nor FAILED, or has no
 * files to begin with, or there is no graph to add to
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
  const base = adds ? await newestGraph(services, latest, withFiles) : latest;
  const { projectId, number } = latest;
  const owner = { projectId, createdBy: viewer.userId };
  const sources = withFiles ? await services.prisma.sourceFile.findMany({ where: { versionId: base.id } }) : [];
  if (withFiles && sources.length === 0) {
    throw new AppError("REQUEST_CONFLICT", `Version ${number} has no files; make the next version without them.`);
  }
  const next = { id: newId("dsv"), datasetId, number: number + 1, ...owner };
  // The bytes stay where they are until the new set of files is closed: it then takes copies of its own.
  const kept = sources.map(({ name, blobKey, bytes, sha256, source, importId, carriedFrom }) => {
    return { name, blobKey, bytes, sha256, source, importId, carriedFrom: carriedFrom ?? base.number };
  });
  const filesPrefix = freshPrefix(next);
  const files = adds ? await joinedIfMany(services, base, kept, filesPrefix) : kept;
  const nextFile = files === kept ? base.nextFile : 1 + Math.max(...files.map(uploadNumber));
  const rows = files.map((file) => ({ id: newId("file"), ...file, ...owner }));
  const carried = { nextFile, state: "MAPPING", sources: { createMany: { data: rows } } } as const;
  // Two requests at once both find the same newest version: the second is answered with what the first has made.
  const made = await services.prisma.datasetVersion.upsert({
    where: { datasetId_number: { datasetId, number: number + 1 } },
    create: { ...next, filesPrefix, ...(withFiles && carried), ...(adds && { addsTo: base.number }) },
    update: {},
  });
  if (made.id !== next.id) {
    const unused = files.filter(({ blobKey }) => blobKey.startsWith(`${filesPrefix}/`));
    for (const { blobKey } of unused) await services.store.delete(blobKey);
  }
  if (made.filesPrefix !== null) return made;
  return services.prisma.datasetVersion.update({ where: { id: made.id }, data: { filesPrefix } });
}

/** @returns the same files where they are few */
async function joinedIfMany(
  { store, limits: { uploadBytes: maxBytes } }: Services,
  { nextFile, spec }: DatasetVersion,
  files: readonly CarriedFile[],
  prefix: string,
): Promise<readonly CarriedFile[]> {
  if (nextFile < joinsFrom) return files;
  return joinCarried({ store, spec: datasetSpec.parse(spec), prefix, maxBytes }, files);
}

/** The version that rows are added to: one that failed has no graph, and adds nothing to the one before it. */
async function newestGraph(
  { prisma }: Services,
  { datasetId, number, state }: DatasetVersion,
  withFiles: boolean,
): Promise<DatasetVersion> {
  if (!withFiles)
    throw new AppError("REQUEST_INVALID", "A version that adds to another keeps its files; leave withFiles out.", {
      place: { pointer: "/withFiles" },
    });
  const where = { datasetId, state: "READY" } as const;
  const found = await prisma.datasetVersion.findFirst({ where, orderBy: { number: "desc" } });
  if (found) return found;
  const message = `Version ${number} is ${state}, and no version has a graph to add to; map its files again, and add to what comes of them.`;
  throw new AppError("REQUEST_CONFLICT", message, { place: { pointer: "/adds" } });
}

function unfinished({ number, state }: DatasetVersion): AppError {
  const next =
    state === "INGESTING"
      ? "wait until its graph is built"
      : "upload to it, or map its files; the next version follows a finished one";
  return new AppError("REQUEST_CONFLICT", `Version ${number} of the dataset is ${state}: ${next}.`);
}
