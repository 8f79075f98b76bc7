import { limits } from "@hopwise/contracts";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { getDataset } from "../datasets/dataset-service.ts";
import { StoredParts } from "../datasets/stored-parts.ts";
import type { Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { uploadPrefix } from "./upload-prefix.ts";

type Parts = Pick<Services, "prisma" | "store">;

/** @throws AppError REQUEST_NOT_FOUND, also when it has expired */
export async function getUpload({ prisma }: Pick<Services, "prisma">, viewer: Viewer, id: string): Promise<Upload> {
  const where = { id, ...visible(viewer), ...live(), dataset: { deletedAt: null } };
  const found = await prisma.upload.findFirst({ where });
  if (!found) throw notFound("upload", id);
  return found;
}

/** Those to a dataset that have not expired, the newest first. @throws AppError REQUEST_NOT_FOUND */
export async function listUploads(services: Services, viewer: Viewer, datasetId: string): Promise<Upload[]> {
  await getDataset(services, viewer, datasetId);
  return services.prisma.upload.findMany({
    where: { datasetId, ...live() },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limits.uploadsPerProject,
  });
}

/** Those that are there still; what is being made a file stays until that has ended. */
function live() {
  return { OR: [{ expiresAt: { gt: new Date() } }, { state: "FINISHING" as const }] };
}

/** What has come of an upload. */
export function partsOf({ store }: Pick<Services, "store">, upload: Upload): Promise<StoredParts> {
  return StoredParts.find(store, uploadPrefix(upload));
}

/** An upload with as many bytes as the store has of it. */
export async function withPresentBytes(services: Parts, upload: Upload): Promise<Upload> {
  if (upload.state !== "RECEIVING") return upload;
  return { ...upload, bytesDone: BigInt((await partsOf(services, upload)).bytes) };
}

/** When an upload that something has come of now is given up. */
export function nextExpiry(): Date {
  return new Date(Date.now() + limits.uploadHours * 3_600_000);
}
