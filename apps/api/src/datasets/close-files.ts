import { manifestName } from "@hopwise/artifacts";
import { AppError } from "@hopwise/contracts";
import { engineVersion, type Manifest, manifestDigest } from "@hopwise/gnn-core/spec";
import type { Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import type { DatasetVersion, Prisma, SourceFile } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

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
  const { prisma, store } = services;
  const { sources, ...version } = await prisma.datasetVersion.findUniqueOrThrow({
    where: { id: versionId },
    include: { sources: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
  });
  if (sources.length === 0) {
    throw new AppError(
      "DATASET_FILE_MISSING",
      "No file has been uploaded yet; POST them to /v1/datasets/<id>/files first.",
    );
  }
  if (version.filesPrefix === null) return;
  const prefix = version.filesPrefix;
  const gathered = await gather(services, prefix, sources);
  const manifest = manifestOf(gathered);
  await store.put(`${prefix}/${manifestName}`, Buffer.from(JSON.stringify(manifest)));
  await recordArtifact(services, viewer, version, prefix, manifest);
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
  for (const { name, blobKey, bytes, sha256 } of sources) {
    const blob = blobKey.slice(blobKey.indexOf("files/"));
    if (blobKey !== `${prefix}/${blob}`) await store.put(`${prefix}/${blob}`, await store.get(blobKey));
    gathered.push({ name, blob, bytes: Number(bytes), sha256 });
  }
  return gathered;
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

async function recordArtifact(
  { prisma }: Services,
  viewer: Viewer,
  version: DatasetVersion,
  prefix: string,
  { digest, info, blobs }: Manifest,
): Promise<void> {
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
    blobs: blobs as unknown as Prisma.InputJsonArray,
  };
  await prisma.$transaction([
    prisma.artifact.create({ data: artifact }),
    prisma.datasetVersion.update({ where: { id: version.id }, data: { filesId: id, filesPrefix: null } }),
  ]);
}
