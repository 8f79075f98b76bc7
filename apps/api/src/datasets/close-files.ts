import { randomBytes } from "node:crypto";
import { manifestName } from "@hopwise/artifacts";
import { AppError } from "@hopwise/contracts";
import { engineVersion, type Manifest, manifestDigest } from "@hopwise/gnn-core/spec";
import type { Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { DatasetVersion, Prisma, SourceFile } from "../generated/prisma/client.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import type { Services } from "../services.ts";
import { uploadNumber } from "./upload-number.ts";

const closing = new Map<string, Promise<void>>();

/**
 * Makes the uploaded files an artifact of kind `files`, unless nothing was uploaded since the last time.
 *
 * @throws AppError DATASET_FILE_MISSING when nothing was uploaded at all
 */
export async function closeFiles(services: Services, viewer: Viewer, versionId: string): Promise<void> {
  // One at a time per version: two uploads that end together both ask for it.
  const before = closing.get(versionId) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(() => closeOnce(services, viewer, versionId));
  closing.set(versionId, mine);
  try {
    await mine;
  } finally {
    if (closing.get(versionId) === mine) closing.delete(versionId);
  }
}

async function closeOnce(services: Services, viewer: Viewer, versionId: string): Promise<void> {
  const { sources, ...version } = await services.prisma.datasetVersion.findUniqueOrThrow({
    where: { id: versionId },
    include: { sources: true },
  });
  if (sources.length === 0) {
    throw new AppError(
      "DATASET_FILE_MISSING",
      "No file has been uploaded yet; POST them to /v1/datasets/<id>/files first.",
    );
  }
  const prefix = version.filesPrefix;
  if (prefix === null) return;
  const manifest = manifestOf(await gather(services, prefix, sources));
  await services.store.put(`${prefix}/${manifestName}`, Buffer.from(JSON.stringify(manifest)));
  if (await recordArtifact(services, viewer, version, sources, prefix, manifest)) return;
  // A file was recorded in between, which this manifest lacks: again, with that file.
  await services.store.delete(`${prefix}/${manifestName}`);
  return closeOnce(services, viewer, versionId);
}

/** A key prefix that nothing was stored under. */
export function freshPrefix(version: Pick<DatasetVersion, "projectId" | "datasetId" | "number">): string {
  const { projectId, datasetId, number } = version;
  return `projects/${projectId}/datasets/${datasetId}/v${number}/upload-${randomBytes(6).toString("hex")}`;
}

interface GatheredFile {
  readonly name: string;
  readonly blob: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Every file under one prefix: those of an earlier set are copied, because a blob belongs to one artifact. */
async function gather({ store }: Services, prefix: string, sources: readonly SourceFile[]): Promise<GatheredFile[]> {
  const gathered: GatheredFile[] = [];
  for (const { name, blobKey, bytes, sha256 } of sources.toSorted((a, b) => uploadNumber(a) - uploadNumber(b))) {
    const blob = `files/${uploadNumber({ blobKey })}`;
    if (blobKey !== `${prefix}/${blob}`) await copyIntact(store, blobKey, `${prefix}/${blob}`, { name, sha256 });
    gathered.push({ name, blob, bytes: Number(bytes), sha256 });
  }
  return gathered;
}

/** @throws AppError ARTIFACT_DAMAGED when the file is not what was uploaded */
async function copyIntact(
  store: Services["store"],
  from: string,
  to: string,
  { name, sha256 }: Pick<SourceFile, "name" | "sha256">,
): Promise<void> {
  const copied = await store.put(to, await store.get(from));
  if (copied.sha256 === sha256) return;
  await store.delete(to);
  throw new AppError(
    "ARTIFACT_DAMAGED",
    `The uploaded file "${name}" is not what was stored: it has ${copied.bytes} bytes with the sha256 ${copied.sha256}; expected ${sha256}. Upload it again to a new dataset, or restore a backup.`,
    { place: { file: name } },
  );
}

function manifestOf(files: readonly GatheredFile[]): Manifest {
  const blobs = files.map(({ blob, bytes, sha256 }) => ({ name: blob, bytes, sha256 }));
  const info = { files };
  return {
    version: 1,
    kind: "files",
    step: "upload",
    stepVersion: 1,
    engine: engineVersion,
    inputs: {},
    options: {},
    info,
    blobs,
    byteOrder: "little",
    digest: manifestDigest("files", blobs, info),
  };
}

/** @returns false, and nothing recorded, when the set of files has grown since `version` was read */
async function recordArtifact(
  { prisma }: Services,
  viewer: Viewer,
  version: DatasetVersion,
  sources: readonly SourceFile[],
  prefix: string,
  { digest, info, blobs }: Manifest,
): Promise<boolean> {
  const id = newId("art");
  const artifact = {
    id,
    projectId: version.projectId,
    createdBy: viewer.userId,
    kind: "files",
    prefix,
    digest,
    bytes: BigInt(blobs.reduce((sum, blob) => sum + blob.bytes, 0)),
    info: info as Prisma.InputJsonObject,
    blobs,
  };
  return prisma.$transaction(async (tx) => {
    const { filesRevision } = version;
    const { count } = await tx.datasetVersion.updateMany({
      where: { id: version.id, filesPrefix: prefix, filesRevision },
      data: { filesPrefix: null },
    });
    if (count === 0) return false;
    await tx.artifact.create({ data: artifact });
    // From now on each file is read from here: the set before this one may go.
    for (const { id: fileId, blobKey } of sources) {
      const key = `${prefix}/files/${uploadNumber({ blobKey })}`;
      if (key !== blobKey) await tx.sourceFile.update({ where: { id: fileId }, data: { blobKey: key } });
    }
    await tx.datasetVersion.update({ where: { id: version.id }, data: { filesId: id } });
    return true;
  }, transactionLimits);
}
