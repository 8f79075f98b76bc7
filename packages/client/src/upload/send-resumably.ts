import type { ResumableUploadAnswer } from "@hopwise/contracts";
import { ProblemError, unreachableError } from "../problem-error.ts";
import { type AnyInput, fetchWhole, jsonOf, requireSuccess, type Sendable } from "../request.ts";
import { backoffMs, isPassing, wait } from "../retry.ts";
import { sendWithRetries } from "../transport.ts";
import { FileUnreadable } from "./file-piece.ts";
import { browserXhr } from "./send-by-xhr.ts";
import { canHash, sendPiece } from "./send-piece.ts";
import type { OnProgress, UploadFile } from "./upload-file.ts";

export interface ResumableInput {
  /** Id of the dataset that gets the file. */
  readonly dataset: string;
  readonly file: UploadFile;
  /** Whether it may take the place of a file of its name. */
  readonly replace?: boolean;
  readonly onProgress?: OnProgress | undefined;
  /** Told how much of the file the service has put together, once all of it has come. */
  readonly onFinishing?: OnProgress | undefined;
  /** Told why nothing is sent now; null: something is again. */
  readonly onWaiting?: ((reason: string | null) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type MakeCall = (operation: string, input: AnyInput) => Sendable;

const firstDelayMs = 500;
/** About four minutes without a byte: a service that is restarted is back by then. */
const mostVainTries = 13;
const lookAgainMs = 500;
/** With a checksum a part is kept wholly or not at all, so that a cut costs no more than this. */
const checkedBytes = 8 * 1024 ** 2;
const tus = { "tus-resumable": "1.0.0" };

/** Sends one file by tus 1.0 until it is a file of the dataset. */
export async function sendResumably(makeCall: MakeCall, input: ResumableInput): Promise<ResumableUploadAnswer> {
  const { signal, onWaiting, onProgress, onFinishing, file } = input;
  const calls = new UploadCalls(makeCall, input);
  let upload = (await calls.find()) ?? (await calls.begin());
  for (let failures = 0; ; ) {
    const before = upload.bytesDone;
    try {
      upload = await calls.read(upload.id);
      onWaiting?.(null);
      if (upload.state === "FINISHING") onFinishing?.(upload.bytesFinished, file.size);
      else onProgress?.(upload.bytesDone, file.size);
      if (upload.state === "DONE") return upload;
      if (upload.state === "FAILED" && upload.problem !== null) throw new ProblemError(upload.problem);
      if (upload.state === "RECEIVING") await calls.send(upload);
      else await wait(lookAgainMs, signal);
      failures = 0;
    } catch (error) {
      signal?.throwIfAborted();
      failures = upload.bytesDone > before ? 1 : failures + 1;
      if (upload.state === "FAILED" || failures >= mostVainTries) throw error;
      if (isGone(error)) upload = await calls.begin();
      else if (!mayPass(error)) throw error;
      onWaiting?.(error instanceof Error ? error.message : null);
      await wait((error instanceof ProblemError && error.retryAfterMs) || backoffMs(failures, firstDelayMs), signal);
    }
  }
}

/** It has expired, or was removed. */
function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.code === "REQUEST_NOT_FOUND";
}

/** Connections that break, a service that is away, another connection of the same upload, parts that were damaged. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { status } = error.problem;
  return isPassing(status) || status === 409 || status === 460;
}

class UploadCalls {
  readonly #makeCall: MakeCall;
  readonly #input: ResumableInput;

  constructor(makeCall: MakeCall, input: ResumableInput) {
    this.#makeCall = makeCall;
    this.#input = input;
  }

  /** An upload of this very file that was begun earlier. */
  async find(): Promise<ResumableUploadAnswer | null> {
    const { dataset, file, replace = false } = this.#input;
    const { items } = (await this.#json("GET /v1/datasets/:id/uploads", { params: { id: dataset } })) as {
      readonly items: readonly ResumableUploadAnswer[];
    };
    const isSame = (one: ResumableUploadAnswer) =>
      file.sha256 === undefined
        ? one.fingerprint !== null && one.fingerprint === fingerprintOf(file)
        : one.expectedSha256 === file.sha256;
    const found = items.find(
      (one) =>
        (one.state === "RECEIVING" || one.state === "FINISHING") &&
        one.name === file.name.normalize("NFC") &&
        one.bytesTotal === file.size &&
        one.replaces === replace &&
        isSame(one),
    );
    return found ?? null;
  }

  async begin(): Promise<ResumableUploadAnswer> {
    const { dataset, file, replace = false } = this.#input;
    const fingerprint = fingerprintOf(file);
    const metadata = {
      filename: file.name,
      ...(file.sha256 !== undefined && { sha256: file.sha256 }),
      ...(fingerprint !== null && { fingerprint }),
      ...(replace && { replace: "true" }),
    };
    const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${base64(value)}`);
    const headers = { ...tus, "upload-length": String(file.size), "upload-metadata": pairs.join(",") };
    return this.#json("POST /v1/datasets/:id/uploads", { params: { id: dataset }, headers }) as never;
  }

  async read(id: string): Promise<ResumableUploadAnswer> {
    return this.#json("GET /v1/uploads/:id", { params: { id } }) as never;
  }

  /** Sends what is missing, or a part of it. */
  async send({ id, bytesDone: start, bytesTotal }: ResumableUploadAnswer): Promise<void> {
    const { file, signal, onProgress } = this.#input;
    const isChecked = browserXhr() !== null && canHash();
    const end = isChecked ? Math.min(bytesTotal, start + checkedBytes) : bytesTotal;
    const call = this.#makeCall("PATCH /v1/uploads/:id", { params: { id } });
    const onBytes = (bytes: number) => onProgress?.(start + bytes, file.size);
    const response = await sendPiece(call, { file, start, end, onBytes, signal }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw unreadableBehind(cause) ?? unreachableError(cause);
    });
    await requireSuccess(response);
  }

  /** Begun twice is no harm: what nobody goes on with expires. */
  async #json(operation: string, input: AnyInput): Promise<unknown> {
    const { signal } = this.#input;
    const call = this.#makeCall(operation, { ...input, signal });
    return jsonOf(await requireSuccess(await sendWithRetries(() => fetchWhole(call), { isRepeatable: true, signal })));
  }
}

/** What a browser tells of a file beside its name and size. */
function fingerprintOf(file: UploadFile): string | null {
  const { lastModified } = file as { readonly lastModified?: unknown };
  return typeof lastModified === "number" ? `modified ${lastModified}` : null;
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(""));
}

/** fetch wraps what the body's source throws. */
function unreadableBehind(error: unknown): FileUnreadable | null {
  if (error instanceof FileUnreadable) return error;
  return error instanceof Error && error.cause instanceof FileUnreadable ? error.cause : null;
}
