import { createHash, timingSafeEqual } from "node:crypto";
import { ArtifactError } from "@hopwise/artifacts";
import { AppError, limits } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { StoredParts } from "../datasets/stored-parts.ts";
import type { Upload } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { uploadPrefix } from "./upload-prefix.ts";
import { getUpload, nextExpiry, partsOf } from "./upload-queries.ts";

/** Bytes of an upload as they come in one request. */
export interface IncomingBytes {
  /** Where they belong. */
  readonly offset: number;
  readonly body: AsyncIterable<Uint8Array>;
  /** As the request declares it; null: it does not. */
  readonly length: number | null;
  readonly checksum: Checksum | null;
  /** Breaks the request off. */
  readonly stop: () => void;
}

/** What the bytes of one request must have. */
export interface Checksum {
  readonly algorithm: "sha256" | "sha1";
  readonly digest: Uint8Array;
}

const noteEveryMs = 60_000;

/**
 * Stores what comes of an upload. Whatever breaks the request off, all that had come before stays; with a checksum, all
 * of it or nothing does.
 *
 * @returns the upload, with as many bytes as there are now
 * @throws AppError REQUEST_CONFLICT for another offset than the upload's, REQUEST_TOO_LARGE, UPLOAD_CHECKSUM,
 * STORAGE_FULL
 */
export async function receiveBytes(
  services: Services,
  viewer: Viewer,
  id: string,
  incoming: IncomingBytes,
): Promise<Upload> {
  requireRole(viewer, "EDITOR");
  await getUpload(services, viewer, id);
  return services.uploads.receivers.receive(id, incoming.stop, async () => {
    const upload = await getUpload(services, viewer, id);
    requireReceiving(upload, incoming);
    const parts = await partsOf(services, upload);
    requireOffset(incoming.offset, parts.bytes);
    requireFitting(upload, incoming);
    await services.store.requireSpaceFor(incoming.length ?? 0);
    try {
      await append(services, upload, parts, incoming);
    } catch (error) {
      if (error instanceof ArtifactError && error.code === "ARTIFACT_EXISTS") throw otherWriter(error);
      throw error;
    } finally {
      await note(services, upload, parts.bytes);
    }
    return { ...upload, bytesDone: BigInt(parts.bytes) };
  });
}

function requireReceiving({ state, bytesTotal }: Upload, { offset, length }: IncomingBytes): void {
  if (state === "RECEIVING" || (offset === Number(bytesTotal) && (length ?? 0) === 0)) return;
  throw new AppError("REQUEST_CONFLICT", `The upload takes no more bytes: it is ${state}.`);
}

function requireOffset(offset: number, present: number): void {
  if (offset === present) return;
  throw new AppError("REQUEST_CONFLICT", `Upload-Offset is ${offset}; the upload goes on from ${present}.`, {
    place: { field: "upload-offset" },
  });
}

function requireFitting({ bytesTotal, name }: Upload, { offset, length, checksum }: IncomingBytes): void {
  if (offset + (length ?? 0) > Number(bytesTotal)) throw tooLong(name, bytesTotal);
  if (checksum === null || (length !== null && length <= limits.filePartBytes)) return;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `A request with Upload-Checksum has at most ${limits.filePartBytes} bytes, and says how many; send the file in several, or without.`,
  );
}

async function append(services: Services, upload: Upload, parts: StoredParts, incoming: IncomingBytes): Promise<void> {
  const { checksum, body, offset } = incoming;
  const fitting = within(patient(body, incoming.stop), Number(upload.bytesTotal) - offset, upload);
  if (checksum !== null && incoming.length !== 0) return parts.appendWhole(checked(fitting, checksum));
  let notedAt = Date.now();
  await parts.append(fitting, (bytes) => {
    if (Date.now() - notedAt < noteEveryMs) return;
    notedAt = Date.now();
    // So long an upload must not expire meanwhile; a note that is lost is followed by the next.
    void note(services, upload, bytes).catch(() => undefined);
  });
}

/** Writes down how far it is; what came for an upload that is gone goes too. */
async function note({ prisma, store }: Services, { id, projectId }: Upload, bytes: number): Promise<void> {
  const data = { bytesDone: BigInt(bytes), expiresAt: nextExpiry() };
  await prisma.upload.updateMany({ where: { id, state: "RECEIVING" }, data });
  if ((await prisma.upload.count({ where: { id } })) === 0) await store.delete(uploadPrefix({ projectId, id }));
}

/** Ends a request that sends nothing for long, so that nobody holds a connection for nothing. */
async function* patient(body: AsyncIterable<Uint8Array>, stop: () => void): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const timer = setTimeout(stop, limits.uploadIdleSeconds * 1000);
    const next = await pieces.next().finally(() => clearTimeout(timer));
    if (next.done) return;
    yield next.value;
  }
}

async function* within(
  body: AsyncIterable<Uint8Array>,
  mostBytes: number,
  { name, bytesTotal }: Upload,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw tooLong(name, bytesTotal);
    yield piece;
  }
}

/** Throws at the end when it was not what the sender sent, so that the store keeps nothing of it. */
async function* checked(body: AsyncIterable<Uint8Array>, { algorithm, digest }: Checksum): AsyncGenerator<Uint8Array> {
  const hash = createHash(algorithm);
  for await (const piece of body) {
    hash.update(piece);
    yield piece;
  }
  const found = hash.digest();
  if (found.byteLength === digest.byteLength && timingSafeEqual(found, digest)) return;
  throw new AppError(
    "UPLOAD_CHECKSUM",
    `These bytes have the ${algorithm} ${found.toString("base64")}; Upload-Checksum says otherwise. Nothing of them was kept: send them again.`,
  );
}

function tooLong(name: string, bytesTotal: bigint): AppError {
  return new AppError(
    "REQUEST_TOO_LARGE",
    `More bytes came of "${name}" than Upload-Length said, which was ${bytesTotal}.`,
    { place: { file: name } },
  );
}

function otherWriter(cause: unknown): AppError {
  return new AppError(
    "REQUEST_CONFLICT",
    "Another request is sending the same bytes of this upload; ask how far it is, and go on from there.",
    { cause },
  );
}
