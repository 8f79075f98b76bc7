import { setTimeout as pause } from "node:timers/promises";
import { AppError, type ErrorCode, limits } from "@hopwise/contracts";
import { problemOfRow } from "../database/stored-json.ts";
import type { Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

/**
 * Has an upload made a file when all of its bytes are there, and waits for that as long as a request may wait.
 *
 * @returns the upload as it is then; FINISHING when that takes longer
 */
export async function settleUpload(services: Services, upload: Upload): Promise<Upload> {
  if (upload.bytesDone < upload.bytesTotal && upload.state === "RECEIVING") return upload;
  if (upload.state === "DONE" || upload.state === "FAILED") return upload;
  const enough = new AbortController();
  const late = pause(limits.uploadFinishSeconds * 1000, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([services.uploads.finisher.finish(upload.id), late]);
  enough.abort();
  return (await services.prisma.upload.findUnique({ where: { id: upload.id } })) ?? upload;
}

/** @throws AppError what kept an upload from becoming a file */
export function requireNoFailure(upload: Upload): void {
  const problem = problemOfRow(upload);
  if (upload.state !== "FAILED" || problem === null) return;
  const { code, detail, file } = problem;
  throw new AppError(code as ErrorCode, detail, { place: { file } });
}
