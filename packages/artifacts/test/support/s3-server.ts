import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface Stored {
  readonly bytes: Buffer;
  readonly modifiedAt: Date;
}

interface MultipartUpload {
  readonly key: string;
  readonly startedAt: Date;
  readonly parts: Map<number, Buffer>;
}

/**
 * Buckets by path style, as the reference of Amazon's S3 API has them: objects with conditions and ranges, uploads in
 * parts, deletion of many, lists in pages. Who asks is not looked at but for the id of the key.
 */
export class S3Server {
  readonly buckets = new Map<string, Map<string, Stored>>();
  readonly uploads = new Map<string, MultipartUpload>();
  /** Whether `If-None-Match` is known; services that are older take no notice. */
  knowsConditions = true;
  /** Keys of objects in a page of a list */
  pageSize = 2;
  /** Id of the key that calls must be signed with */
  accessKeyId = "AKIDEXAMPLE";
  /** So many of the next calls are put off. */
  busy = 0;
  /** Answers the next writing call: a quota that is met, for example. */
  refuseWrites: { readonly status: number; readonly code: string } | null = null;
  readonly calls: string[] = [];
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.endpoint);
    const [, bucketName = "", ...rest] = url.pathname.split("/");
    const [key, query, { method = "" }] = [decodeURIComponent(rest.join("/")), url.searchParams, request];
    this.calls.push(`${method} ${key}${[...query.keys()].map((name) => `?${name}`).join("")}`);
    const body = await buffer(request);
    const bucket = this.buckets.get(bucketName);
    if (this.busy-- > 0) return refuse(response, 503, "SlowDown");
    if (!request.headers.authorization?.includes(`Credential=${this.accessKeyId}/`)) {
      return refuse(response, 403, "InvalidAccessKeyId");
    }
    if (!bucket) return refuse(response, 404, "NoSuchBucket");
    if (this.refuseWrites && (method === "PUT" || method === "POST")) {
      return refuse(response, this.refuseWrites.status, this.refuseWrites.code);
    }
    if (query.has("uploads") || query.has("uploadId"))
      return this.#inParts(request, response, { key, query, body, bucket });
    if (key === "" && query.has("delete")) return deleteAll(response, bucket, body);
    if (key === "") return this.#list(response, bucket, query);
    if (method === "PUT") {
      if (!this.#store(request, { bucket, key }, body)) return refuse(response, 412, "PreconditionFailed");
      return void response.writeHead(200, { etag: etagOf(body) }).end();
    }
    sendObject(request, response, bucket.get(key));
  }

  /** Whether the object was stored; a condition may be against it. */
  #store(request: IncomingMessage, { bucket, key }: Pick<Call, "bucket" | "key">, bytes: Buffer): boolean {
    if (this.knowsConditions && request.headers["if-none-match"] === "*" && bucket.has(key)) return false;
    bucket.set(key, { bytes, modifiedAt: new Date() });
    return true;
  }

  #inParts(request: IncomingMessage, response: ServerResponse, { key, query, body, bucket }: Call): void {
    const id = query.get("uploadId") ?? "";
    const upload = this.uploads.get(id);
    if (request.method === "GET") {
      const uploads = [...this.uploads].map(
        ([uploadId, { key: target, startedAt }]) =>
          `<Upload><Key>${target}</Key><UploadId>${uploadId}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
      );
      return sendXml(response, "ListMultipartUploadsResult", `<IsTruncated>false</IsTruncated>${uploads.join("")}`);
    }
    if (query.has("uploads")) {
      const made = `upload-${this.calls.length}`;
      this.uploads.set(made, { key, startedAt: new Date(), parts: new Map() });
      return sendXml(response, "InitiateMultipartUploadResult", `<UploadId>${made}</UploadId>`);
    }
    if (!upload) return refuse(response, 404, "NoSuchUpload");
    if (request.method === "PUT") {
      upload.parts.set(Number(query.get("partNumber")), body);
      return void response.writeHead(200, { etag: etagOf(body) }).end();
    }
    this.uploads.delete(id);
    if (request.method === "DELETE") return void response.writeHead(204).end();
    const numbers = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
      Number(number),
    );
    const whole = Buffer.concat(numbers.map((number) => upload.parts.get(number) as Buffer));
    if (!this.#store(request, { bucket, key }, whole)) return refuse(response, 412, "PreconditionFailed");
    sendXml(response, "CompleteMultipartUploadResult", `<Key>${key}</Key><ETag>${etagOf(whole)}</ETag>`);
  }

  #list(response: ServerResponse, bucket: Map<string, Stored>, query: URLSearchParams): void {
    const from = query.get("continuation-token") ?? "";
    const keys = [...bucket.keys()].filter((key) => key.startsWith(query.get("prefix") ?? "")).toSorted();
    const left = keys.filter((key) => key > from);
    const page = left.slice(0, this.pageSize);
    const isCut = page.length < left.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    sendXml(response, "ListBucketResult", `<IsTruncated>${isCut}</IsTruncated>${next}${contents}`);
  }
}

interface Call {
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly bucket: Map<string, Stored>;
}

function sendObject({ method, headers }: IncomingMessage, response: ServerResponse, found: Stored | undefined): void {
  if (!found) return refuse(response, 404, "NoSuchKey", method === "HEAD");
  const { bytes, modifiedAt } = found;
  const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
  if (start !== undefined && Number(start) >= bytes.length) return refuse(response, 416, "InvalidRange");
  const last = Math.min(end ? Number(end) : bytes.length - 1, bytes.length - 1);
  const part = start === undefined ? bytes : bytes.subarray(Number(start), last + 1);
  response.writeHead(start === undefined ? 200 : 206, {
    "content-length": part.length,
    "last-modified": modifiedAt.toUTCString(),
    etag: etagOf(bytes),
    ...(start !== undefined && { "content-range": `bytes ${start}-${last}/${bytes.length}` }),
  });
  response.end(method === "HEAD" ? undefined : part);
}

function deleteAll(response: ServerResponse, bucket: Map<string, Stored>, body: Buffer): void {
  for (const [, key = ""] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) bucket.delete(key);
  sendXml(response, "DeleteResult", "");
}

function sendXml(response: ServerResponse, element: string, inside: string): void {
  response
    .writeHead(200, { "content-type": "application/xml" })
    .end(`<?xml version="1.0"?><${element} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</${element}>`);
}

function refuse(response: ServerResponse, status: number, code: string, isHead = false): void {
  const error = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(isHead ? undefined : error);
}

function etagOf(bytes: Buffer): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}
