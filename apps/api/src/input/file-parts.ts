import { setTimeout } from "node:timers/promises";
import { AppError } from "@hopwise/contracts";
import type { FastifyRequest } from "fastify";

type FilePart = ReturnType<FastifyRequest["files"]> extends AsyncIterableIterator<infer Part> ? Part : never;

const lookEveryMs = 250;
/** Looks in a row at which the body stood still with nobody to read it */
const enoughLooks = 4;

/**
 * The files of a multipart request, one after another. The parser passes over what is no file, and forgets to go on
 * when that is long: such a request would never end.
 *
 * @throws AppError REQUEST_INVALID when a part is no file
 */
export async function* fileParts(request: FastifyRequest): AsyncGenerator<FilePart, void, void> {
  const parts = request.files();
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await nextOrStuck(parts, request);
      isWaiting = false;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!isWaiting) await parts.return?.(); // one that waits would not hear it
  }
}

async function nextOrStuck(
  parts: AsyncIterableIterator<FilePart>,
  { raw }: FastifyRequest,
): Promise<IteratorResult<FilePart>> {
  const controller = new AbortController();
  const next = parts.next();
  next.catch(() => undefined); // nobody may be waiting for it any more
  try {
    return await Promise.race([next, standsStill(raw, controller.signal)]);
  } finally {
    controller.abort();
  }
}

/** Rejects when the body waits for a reader; while the next part is looked for, only the parser reads. */
async function standsStill(raw: FastifyRequest["raw"], signal: AbortSignal): Promise<never> {
  for (let looks = 0; looks < enoughLooks; looks = raw.isPaused() ? looks + 1 : 0) {
    await setTimeout(lookEveryMs, undefined, { signal, ref: false });
  }
  throw new AppError(
    "REQUEST_INVALID",
    "A part of the request is no file; send multipart/form-data with one part per file, each with Content-Disposition: form-data, a name and a filename.",
  );
}
