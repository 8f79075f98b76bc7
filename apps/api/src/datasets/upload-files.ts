import { AppError, fileNamePattern, limits } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { DatasetVersion, Prisma, SourceFile } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { refuseReplacement } from "./added-version.ts";
import { freshPrefix } from "./close-files.ts";
import { getDataset, getVersion } from "./dataset-service.ts";

/** One file of a request as it streams in. */
export interface IncomingFile {
  readonly filename: string;
  readonly file: AsyncIterable<Uint8Array>;
  /** What it must have. */
  readonly expectedSha256?: string | null;
  /** From where, and by which import, the service has fetched the file. */
  readonly origin?: { readonly source: string; readonly importId: string };
}

export interface UploadOptions {
  /** A file of a name that is there already takes that one's place; else it is refused. */
  readonly replaces?: boolean;
  /** What else is written in the transaction in which the files become part of the version. */
  readonly alongside?: (version: DatasetVersion, stored: readonly StoredFile[]) => Prisma.PrismaPromise<unknown>[];
}

export interface Uploaded {
  readonly version: DatasetVersion;
  readonly files: readonly SourceFile[];
}

/**
 * Streams the files of one request into the artifact store. All of them become part of the dataset's open
 * version, or none: whatever fails, nothing of this request stays.
 *
 * @throws AppError DATASET_FILE_NAME, DATASET_FILE_EMPTY, REQUEST_TOO_LARGE, REQUEST_CONFLICT (name taken, being
 * ingested), IMPORT_CHECKSUM, UPLOAD_CHECKSUM
 */
export async function uploadFiles(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  incoming: AsyncIterable<IncomingFile>,
  { replaces = false, alongside = () => [] }: UploadOptions = {},
): Promise<Uploaded> {
  requireRole(viewer, "EDITOR");
  const { version, prefix } = await openVersion(services, viewer, datasetId);
  const stored: StoredFile[] = [];
  try {
    for await (const file of incoming) stored.push(await storeFile(services, version, prefix, file, stored, replaces));
    if (stored.length === 0) {
      throw new AppError(
        "REQUEST_INVALID",
        "The request carries no file; send multipart/form-data with one part per file.",
      );
    }
    const files = await recordFiles(services, viewer, version, stored, alongside(version, stored));
    return { version, files };
  } catch (error) {
    for (const { blobKey } of stored) await services.store.delete(blobKey);
    throw error;
  }
}

export interface StoredFile {
  readonly name: string;
  readonly blobKey: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly source: string | null;
  readonly importId: string | null;
}

/** The version that takes uploads: the latest, or a new one when that is settled. */
async function openVersion(
  services: Services,
  viewer: Viewer,
  datasetId: string,
): Promise<{ version: DatasetVersion; prefix: string }> {
  await getDataset(services, viewer, datasetId);
  const latest = await getVersion(services, viewer, datasetId);
  if (latest.state === "INGESTING") {
    throw new AppError(
      "REQUEST_CONFLICT",
      "This dataset is being ingested; wait for its end, then upload a new version.",
    );
  }
  const version =
    latest.state === "READY" || latest.state === "FAILED" ? await nextVersion(services, viewer, latest) : latest;
  return { version, prefix: await openPrefix(services, version) };
}

async function nextVersion({ prisma }: Services, viewer: Viewer, latest: DatasetVersion): Promise<DatasetVersion> {
  const { projectId, datasetId, number } = latest;
  const next = { id: newId("dsv"), projectId, datasetId, number: number + 1, createdBy: viewer.userId };
  // Two uploads at once may both find the same latest: the second joins the first.
  return prisma.datasetVersion.upsert({
    where: { datasetId_number: { datasetId, number: number + 1 } },
    create: next,
    update: {},
  });
}

/** Where uploads go until the set of files is closed. */
async function openPrefix({ prisma }: Services, version: DatasetVersion): Promise<string> {
  const fresh = freshPrefix(version);
  await prisma.datasetVersion.updateMany({
    where: { id: version.id, filesPrefix: null },
    data: { filesPrefix: fresh },
  });
  const { filesPrefix } = await prisma.datasetVersion.findUniqueOrThrow({ where: { id: version.id } });
  return filesPrefix ?? fresh;
}

async function storeFile(
  services: Services,
  version: DatasetVersion,
  prefix: string,
  { filename, file, expectedSha256 = null, origin }: IncomingFile,
  earlier: readonly StoredFile[],
  replaces: boolean,
): Promise<StoredFile> {
  const { prisma, store } = services;
  const name = checkFileName(filename);
  if (earlier.some((other) => other.name === name)) {
    throw new AppError("REQUEST_CONFLICT", `The request carries two files called "${name}"; rename one of them.`, {
      place: { file: name },
    });
  }
  const taken = await prisma.sourceFile.findUnique({ where: { versionId_name: { versionId: version.id, name } } });
  if (taken && !replaces) {
    throw new AppError(
      "REQUEST_CONFLICT",
      `This version already has a file "${name}". Upload with ?replace=true to put this one in its place, or rename one of them.`,
      { place: { file: name } },
    );
  }
  if (taken) refuseReplacement(version, taken);
  const { nextFile } = await prisma.datasetVersion.update({
    where: { id: version.id },
    data: { nextFile: { increment: 1 } },
  });
  if (nextFile > limits.filesPerDataset) throw tooManyFiles(version);
  const blobKey = `${prefix}/files/${nextFile - 1}`;
  const { bytes, sha256 } = await store.put(blobKey, limited(file, services.limits.uploadBytes, name));
  const objection = objectionTo({ name, bytes, sha256 }, expectedSha256, origin !== undefined);
  if (objection === null)
    return { name, blobKey, bytes, sha256, source: origin?.source ?? null, importId: origin?.importId ?? null };
  await store.delete(blobKey);
  throw objection;
}

function tooManyFiles({ addsTo }: DatasetVersion): AppError {
  const most = `A version holds at most ${limits.filesPerDataset} files`;
  const detail =
    addsTo === null
      ? `${most}; join small ones.`
      : `${most}, with those that it keeps of version ${addsTo}. Make a version of all rows in few files, and add to that.`;
  return new AppError("REQUEST_TOO_LARGE", detail);
}

interface Arrived {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

function objectionTo({ name, bytes, sha256 }: Arrived, expected: string | null, isFetched: boolean): AppError | null {
  const place = { file: name };
  if (bytes === 0)
    return new AppError("DATASET_FILE_EMPTY", `The file "${name}" is empty; export it again.`, { place });
  if (expected === null || expected.toLowerCase() === sha256) return null;
  const found = `The file "${name}" has the sha256 ${sha256} (${bytes} bytes); expected ${expected.toLowerCase()}.`;
  return isFetched
    ? new AppError(
        "IMPORT_CHECKSUM",
        `${found} Ask its publisher which is right, then import it with that or without one.`,
        { place },
      )
    : new AppError("UPLOAD_CHECKSUM", `${found} Send it again from its first byte.`, { place });
}

/**
 * A file's name as it is kept.
 *
 * @throws AppError DATASET_FILE_NAME
 */
export function checkFileName(name: string): string {
  const normal = name.normalize("NFC");
  if (fileNamePattern.test(normal) && normal.trim() === normal) return normal;
  throw new AppError(
    "DATASET_FILE_NAME",
    `${JSON.stringify(name.slice(0, 200))} is not a plain file name; expected 1 to ${limits.fileNameLength} characters without backslashes, control characters or a leading dot, folders before a slash included.`,
    { place: { file: name.slice(0, 200) } },
  );
}

/** Fails with the stream as soon as it is over the limit, so that the store keeps nothing of it. */
async function* limited(file: AsyncIterable<Uint8Array>, maxBytes: number, name: string): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new AppError("REQUEST_TOO_LARGE", `The file "${name}" is larger than the limit of ${maxBytes} bytes.`, {
        place: { file: name },
      });
    }
    yield chunk;
  }
}

async function recordFiles(
  { prisma }: Services,
  viewer: Viewer,
  version: DatasetVersion,
  stored: readonly StoredFile[],
  alongside: Prisma.PrismaPromise<unknown>[],
): Promise<SourceFile[]> {
  const { id: versionId, projectId } = version;
  const rows = stored.map(({ bytes, ...file }) => ({
    id: newId("file"),
    versionId,
    projectId,
    createdBy: viewer.userId,
    bytes: BigInt(bytes),
    ...file,
  }));
  await prisma.$transaction([
    // The version first, as whoever closes the set does: a row that refers to it holds it as well, and two transactions
    // that take the two in opposite orders would wait for each other.
    prisma.datasetVersion.update({ where: { id: versionId }, data: { filesRevision: { increment: 1 } } }),
    // The set may have been closed while these files were on their way: it is open again with them.
    prisma.datasetVersion.updateMany({
      where: { id: versionId, filesPrefix: null },
      data: { filesPrefix: freshPrefix(version) },
    }),
    prisma.datasetVersion.updateMany({ where: { id: versionId, state: "UPLOADING" }, data: { state: "MAPPING" } }),
    // What they replace stays in the store as long as an earlier set of files refers to it; the sweep takes the rest.
    prisma.sourceFile.deleteMany({ where: { versionId, name: { in: stored.map(({ name }) => name) } } }),
    prisma.sourceFile.createMany({ data: rows }),
    ...alongside,
  ]);
  return Promise.all(rows.map(({ id }) => prisma.sourceFile.findUniqueOrThrow({ where: { id } })));
}
