import { AppError, limits } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { refuseReplacement } from "../datasets/added-version.ts";
import { getDataset, getVersion } from "../datasets/dataset-service.ts";
import { checkFileName } from "../datasets/upload-files.ts";
import type { Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { nextExpiry } from "./upload-queries.ts";

/** What is said of a file before its first byte. */
export interface UploadAnnouncement {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly fingerprint: string | null;
  readonly replaces: boolean;
}

/**
 * Begins a resumable upload of one file.
 *
 * @throws AppError AUTH_FORBIDDEN, DATASET_FILE_NAME, DATASET_FILE_EMPTY, REQUEST_TOO_LARGE, STORAGE_FULL,
 * REQUEST_CONFLICT for a name that is taken or too many uploads of the project
 */
export async function beginUpload(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  { name: given, bytes, sha256, fingerprint, replaces }: UploadAnnouncement,
): Promise<Upload> {
  requireRole(viewer, "EDITOR");
  const name = checkFileName(given);
  requireSize(name, bytes, services.limits.uploadBytes);
  const { projectId } = await getDataset(services, viewer, datasetId);
  await requireFreeName(services, viewer, datasetId, { name, replaces });
  const { prisma, store } = services;
  await store.requireSpaceFor(bytes);
  const open = await prisma.upload.count({ where: { projectId, state: { in: ["RECEIVING", "FINISHING"] } } });
  if (open >= limits.uploadsPerProject)
    throw new AppError(
      "REQUEST_CONFLICT",
      `${open} uploads of the project are not whole yet, which is as many as may be; finish some, or delete them.`,
    );
  return prisma.upload.create({
    data: {
      id: newId("up"),
      projectId,
      datasetId,
      name,
      bytesTotal: BigInt(bytes),
      expectedSha256: sha256,
      fingerprint,
      replaces,
      createdBy: viewer.userId,
      expiresAt: nextExpiry(),
    },
  });
}

function requireSize(name: string, bytes: number, mostBytes: number): void {
  const place = { file: name };
  if (bytes === 0) throw new AppError("DATASET_FILE_EMPTY", `The file "${name}" is empty; export it again.`, { place });
  if (bytes <= mostBytes) return;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `The file "${name}" has ${bytes} bytes; the limit is ${mostBytes} bytes a file (HOPWISE_UPLOAD_BYTES).`,
    { place },
  );
}

async function requireFreeName(
  services: Services,
  viewer: Viewer,
  datasetId: string,
  { name, replaces }: Pick<UploadAnnouncement, "name" | "replaces">,
): Promise<void> {
  const latest = await getVersion(services, viewer, datasetId);
  if (latest.state !== "UPLOADING" && latest.state !== "MAPPING") return;
  const versionId_name = { versionId: latest.id, name };
  const taken = await services.prisma.sourceFile.findUnique({ where: { versionId_name } });
  if (taken) refuseReplacement(latest, taken);
  if (!taken || replaces) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    `This version already has a file "${name}". Upload it with replace to put it in that one's place, or give it another name.`,
    { place: { file: name } },
  );
}
