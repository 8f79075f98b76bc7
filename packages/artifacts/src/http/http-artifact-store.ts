import { Agent, type IncomingMessage } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { ArtifactError } from "../artifact-error.ts";
import { assertKey } from "../artifact-key.ts";
import type { BlobSource, BlobStat, BlobStore, ByteRange, StoredBlob } from "../artifact-store.ts";
import { type Exchange, exchange } from "./exchange.ts";
import { Patience } from "./patience.ts";
import { chunksOf, digestOf, iteratorOf, SentSource } from "./sent-source.ts";
import { isPassing, refusalOf, retryAfterMs } from "./store-answer.ts";

export interface HttpStoreServer {
  /** URL of the API: `https://host:4680/`, or with the path that a proxy puts before it. */
  readonly url: string;
  /** How long a call goes on trying while the server does not answer, counted from when it last did. */
  readonly patienceMs?: number;
  /** Without a byte for so long a connection is given up, and another tried. */
  readonly idleMs?: number;
}

export interface StoreAccess {
  /** What the holder may read and write; see the API's `/v1/store`. */
  readonly grant: string;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
}

type Call = Pick<Exchange, "method"> & { readonly headers?: Exchange["headers"] };

/**
 * The blobs that a grant names, over HTTP from the API that keeps them. While the API is away (restarted, killed) calls
 * wait for it: what was read so far is kept and the rest asked for by range, what was being stored is sent again.
 */
export class HttpArtifactStore implements BlobStore {
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #patienceMs: number;
  readonly #idleMs: number;
  readonly #signal: AbortSignal | undefined;
  #grant: string;

  constructor({ url, patienceMs = 600_000, idleMs = 120_000 }: HttpStoreServer, { grant, signal }: StoreAccess) {
    this.#base = new URL(url.endsWith("/") ? url : `${url}/`);
    this.#agent = this.#base.protocol === "https:" ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
    this.#patienceMs = patienceMs;
    this.#idleMs = idleMs;
    this.#grant = grant;
    this.#signal = signal;
  }

  /**
   * Stores a blob. A source that can be read once only is sent once; bytes and files are sent again until the store has
   * them.
   *
   * @throws ArtifactError ARTIFACT_EXISTS, ARTIFACT_KEY_INVALID, ARTIFACT_REFUSED, ARTIFACT_UNREACHABLE; what the
   * source throws
   */
  async put(key: string, source: BlobSource): Promise<StoredBlob> {
    assertKey(key);
    const patience = this.#patience();
    for (let mayBeThere = false; ; mayBeThere = true) {
      const sent = new SentSource(source);
      let failure: unknown;
      try {
        const response = await this.#send(this.#keyUrl(key), { method: "PUT", headers: putHeaders }, sent.stream());
        if (response.statusCode === 201) return (await json(response)) as StoredBlob;
        if (!isPassing(response)) {
          const refusal = await refusalOf(response, `PUT ${key}`);
          response.destroy();
          if (!mayBeThere || refusal.code !== "ARTIFACT_EXISTS") throw refusal;
          return await this.#confirm(key, source, refusal);
        }
        failure = new Error(`status ${response.statusCode}`);
        response.destroy();
      } catch (error) {
        if (error instanceof ArtifactError || sent.failure || this.#signal?.aborted) throw sent.failure ?? error;
        failure = error;
      }
      if (!sent.canBeSentAgain || !(await patience.pause())) throw this.#unreachable(failure);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    if (range && !isRange(range)) {
      throw new ArtifactError(
        "ARTIFACT_RANGE_INVALID",
        `Bytes ${range.start}-${range.end ?? ""} of ${key} are no range.`,
      );
    }
    const patience = this.#patience();
    const first = await this.#open(key, range ?? null, patience);
    return Readable.from(this.#bytes(key, first, patience), { objectMode: false });
  }

  async stat(key: string): Promise<BlobStat | null> {
    assertKey(key);
    const response = await this.#answer(this.#keyUrl(key), { method: "HEAD" }, this.#patience());
    response.resume();
    if (response.statusCode === 404) return null;
    if (response.statusCode !== 200) throw await refusalOf(response, `HEAD ${key}`);
    const { "content-length": bytes, "last-modified": modified } = response.headers;
    return { bytes: Number(bytes), modifiedAt: new Date(modified ?? 0) };
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    const response = await this.#answer(this.#keyUrl(key), { method: "DELETE" }, this.#patience());
    if (response.statusCode !== 204) throw await refusalOf(response, `DELETE ${key}`);
    response.resume();
  }

  localPath(key: string): null {
    assertKey(key);
    return null;
  }

  /** Exchanges the grant for one that ends later. @throws ArtifactError ARTIFACT_REFUSED when it is over */
  async renewGrant(): Promise<void> {
    const response = await this.#answer(this.#url("v1/store-grant"), { method: "POST" }, this.#patience());
    if (response.statusCode !== 200) throw await refusalOf(response, "The grant cannot be renewed");
    this.#grant = ((await json(response)) as { grant: string }).grant;
  }

  /** Closes idle connections; the store may still be used. */
  close(): void {
    this.#agent.destroy();
  }

  /** The rest of a blob from `first` on, over as many answers as it takes. */
  async *#bytes(key: string, first: Opened, patience: Patience): AsyncGenerator<Buffer> {
    let { response, from } = first;
    const { end } = first;
    let chunks = iteratorOf(response);
    try {
      for (;;) {
        let chunk: IteratorResult<Buffer>;
        try {
          // To its end, so that the connection serves the next request.
          chunk = await chunks.next();
          if (chunk.done && from < end) throw new Error(`the answer ended ${end - from} bytes early`);
        } catch (error) {
          response.destroy();
          if (this.#signal?.aborted) throw error;
          if (!(await patience.pause())) throw this.#unreachable(error);
          ({ response } = await this.#open(key, { start: from, end: end - 1 }, patience));
          chunks = iteratorOf(response);
          continue;
        }
        if (chunk.done) return;
        patience.renew();
        from += chunk.value.length;
        yield chunk.value;
      }
    } finally {
      response.destroy();
    }
  }

  /** The head of the answer that brings these bytes. */
  async #open(key: string, range: ByteRange | null, patience: Patience): Promise<Opened> {
    const headers = range ? { range: `bytes=${range.start}-${range.end ?? ""}` } : {};
    const response = await this.#answer(this.#keyUrl(key), { method: "GET", headers }, patience);
    const { statusCode } = response;
    const bytes = Number(response.headers["content-length"] ?? Number.NaN);
    if (statusCode === 200 && range === null && Number.isSafeInteger(bytes)) return { response, from: 0, end: bytes };
    const served = /^bytes (\d+)-(\d+)\//.exec(response.headers["content-range"] ?? "");
    if (statusCode === 206 && served && Number(served[1]) === range?.start) {
      return { response, from: range.start, end: Number(served[2]) + 1 };
    }
    const refusal = await refusalOf(response, `GET ${key}`);
    response.destroy();
    throw refusal;
  }

  /** The answer to a call without a body, as soon as there is one that does not only say "later". */
  async #answer(url: URL, call: Call, patience: Patience): Promise<IncomingMessage> {
    for (;;) {
      let failure: unknown;
      let leastMs = 0;
      try {
        const response = await this.#send(url, call);
        if (!isPassing(response)) return response;
        failure = new Error(`status ${response.statusCode}`);
        leastMs = retryAfterMs(response);
        response.destroy();
      } catch (error) {
        if (error instanceof ArtifactError || this.#signal?.aborted) throw error;
        failure = error;
      }
      if (!(await patience.pause(leastMs))) throw this.#unreachable(failure);
    }
  }

  async #send(url: URL, { method, headers = {} }: Call, body?: Readable): Promise<IncomingMessage> {
    const answer = exchange({
      method,
      url,
      headers: { authorization: `Bearer ${this.#grant}`, ...headers },
      body,
      agent: this.#agent,
      idleMs: this.#idleMs,
      signal: this.#signal,
    });
    return answer.catch((error: unknown) => {
      throw isDistrust(error) ? this.#untrusted(error) : error;
    });
  }

  /** An earlier try may have stored the blob before its answer was lost: then what is there is what was sent. */
  async #confirm(key: string, source: BlobSource, refusal: ArtifactError): Promise<StoredBlob> {
    const sent = await digestOf(chunksOf(source));
    const there = await digestOf(await this.get(key));
    if (sent.sha256 !== there.sha256) throw refusal;
    return there;
  }

  #patience(): Patience {
    return new Patience(this.#patienceMs, this.#signal);
  }

  #keyUrl(key: string): URL {
    return this.#url(`v1/store/${key}`);
  }

  #url(path: string): URL {
    return new URL(path, this.#base);
  }

  /** Nothing was sent, and trying again would find the same certificate. */
  #untrusted(cause: Error): ArtifactError {
    return new ArtifactError(
      "ARTIFACT_UNREACHABLE",
      `The certificate of the artifact store at ${this.#base.origin} is not trusted here: ${cause.message}. Name the file with your own authority's certificate in NODE_EXTRA_CA_CERTS, and use a host name that the certificate is for.`,
      { cause },
    );
  }

  #unreachable(cause: unknown): ArtifactError {
    const { message } = cause as Error;
    return new ArtifactError(
      "ARTIFACT_UNREACHABLE",
      `The artifact store at ${this.#base.origin} does not answer: ${message}. Is the API running, and ARTIFACTS_URL its address?`,
      { cause },
    );
  }
}

/** An answer with the bytes from `from` to before `end`. */
interface Opened {
  readonly response: IncomingMessage;
  readonly from: number;
  readonly end: number;
}

/** Whether a server's certificate was refused: of an unknown authority, out of date, of another name. */
function isDistrust(error: unknown): error is NodeJS.ErrnoException {
  const { code = "" } = error as NodeJS.ErrnoException;
  return /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|INVALID_CA$|INVALID_PURPOSE$)/.test(code);
}

const putHeaders = { "content-type": "application/octet-stream" };

function isRange({ start, end }: ByteRange): boolean {
  return (
    Number.isSafeInteger(start) && start >= 0 && (end === undefined || (Number.isSafeInteger(end) && end >= start))
  );
}
