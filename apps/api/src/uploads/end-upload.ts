import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { uploadPrefix } from "./upload-prefix.ts";
import { getUpload } from "./upload-queries.ts";

/** Gives an upload up, and removes what has come of it. @throws AppError REQUEST_CONFLICT while it becomes a file */
export async function endUpload(services: Services, viewer: Viewer, id: string): Promise<Upload> {
  requireRole(viewer, "EDITOR");
  const upload = await getUpload(services, viewer, id);
  const { prisma, store, uploads } = services;
  await uploads.receivers.settled(id);
  const { count } = await prisma.upload.deleteMany({ where: { id, state: { not: "FINISHING" } } });
  if (count === 0)
    throw new AppError("REQUEST_CONFLICT", "All of the file is there, and it is becoming one of the dataset now.");
  await store.delete(uploadPrefix(upload));
  return upload;
}
