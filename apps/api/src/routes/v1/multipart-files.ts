import { AppError } from "@hopwise/contracts";
import type { FastifyRequest } from "fastify";
import type { IncomingFile } from "../../datasets/upload-files.ts";
import { fileParts } from "../../input/file-parts.ts";

/**
 * The files of a multipart request as they stream in.
 *
 * @throws AppError REQUEST_FORMAT without multipart, REQUEST_INVALID with the place when the body is not what it says
 */
export function multipartFiles(request: FastifyRequest): AsyncIterable<IncomingFile> {
  const type = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) {
    throw new AppError("REQUEST_FORMAT", "Files are sent as multipart/form-data with one part per file.");
  }
  if (!/;\s*boundary=("[^"]+"|[^\s;"]+)/i.test(type)) {
    throw new AppError(
      "REQUEST_INVALID",
      "The header content-type is multipart/form-data without a boundary; let the client that makes the body set it.",
      { place: { field: "content-type" } },
    );
  }
  return readFiles(request);
}

async function* readFiles(request: FastifyRequest): AsyncGenerator<IncomingFile> {
  const parts = said(fileParts(request));
  for await (const { filename, file } of parts) yield { filename: filename ?? "", file: said(file) };
}

/** What the parser of multipart throws is about the body; its own codes say more and stay. */
async function* said<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await iterator.next().catch(notMultipart);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function notMultipart(cause: unknown): never {
  if (cause instanceof AppError || (cause instanceof Error && "code" in cause)) throw cause;
  const what = cause instanceof Error ? cause.message : String(cause);
  throw new AppError("REQUEST_INVALID", `The body is not multipart/form-data as its header says: ${what}.`, { cause });
}
