import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const accessKeyId = "AKIDEXAMPLE";
export const secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
export const region = "eu-north-7";

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/**
 * One bucket by path style, of which every request must be signed: the signature is computed here as "Authenticating
 * Requests (AWS Signature Version 4)" of the S3 API reference has it, and by no code of the service.
 */
export class S3Server {
  readonly objects = new Map<string, Buffer>();
  readonly refusals: string[] = [];
  readonly ranges: (string | undefined)[] = [];
  /** The next answer breaks off after so many bytes. */
  cutAfter: number | null = null;
  /** So many of the next lists are refused for a moment. */
  busyLists = 0;
  /** How names stand in the list of objects; some vendors do not encode them, and one says so and does not. */
  names: "url" | "xml" | "damaged" = "url";
  readonly #server: Server = createServer((request, response) => this.#answer(request, response));

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

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "", this.endpoint);
    const objection = objectionTo(request, url);
    if (objection !== null) {
      this.refusals.push(objection);
      response.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
    } else if (url.searchParams.get("list-type") === "2") this.#list(url, response);
    else this.#send(decodeURIComponent(url.pathname.slice("/graphs/".length)), request, response);
  }

  #list(url: URL, response: ServerResponse): void {
    if (this.busyLists-- > 0) return void response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    const prefix = url.searchParams.get("prefix") ?? "";
    const found = [...this.objects].filter(([key]) => key.startsWith(prefix));
    const contents = found.map(
      ([key, bytes]) => `<Contents><Key>${this.#written(key)}</Key><Size>${bytes.byteLength}</Size></Contents>`,
    );
    const encoding = this.names === "xml" ? "" : "<EncodingType>url</EncodingType>";
    const list = `<IsTruncated>false</IsTruncated>${encoding}${contents.join("")}`;
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><ListBucketResult>${list}</ListBucketResult>`);
  }

  #written(key: string): string {
    if (this.names === "damaged") return `${key}%zz`;
    if (this.names === "xml") return key.replaceAll("&", "&amp;").replaceAll("é", "&#xE9;");
    return encodeURIComponent(key).replaceAll("%2F", "/");
  }

  #send(key: string, request: IncomingMessage, response: ServerResponse): void {
    const bytes = this.objects.get(key);
    if (!bytes) return void response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    this.ranges.push(request.headers.range);
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const body = bytes.subarray(start);
    const range = start > 0 ? { "content-range": `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}` } : {};
    response.writeHead(start > 0 ? 206 : 200, { etag: '"one"', "content-length": body.byteLength, ...range });
    const cut = this.cutAfter;
    this.cutAfter = null;
    if (cut === null) response.end(body);
    else response.write(body.subarray(0, cut), () => response.destroy());
  }
}

/** Why a request's signature is not the one that its parts have; null: it is. */
function objectionTo({ method = "", headers }: IncomingMessage, url: URL): string | null {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const [, id, day = "", inRegion = "", names = "", signature] = pattern.exec(headers.authorization ?? "") ?? [];
  if (id !== accessKeyId || inRegion !== region) return `signed by ${id} for ${inRegion}`;
  const signed = names.split(";");
  if (!signed.includes("host") || !signed.includes("x-amz-date")) return `signed are ${names}`;
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeAll(name)}=${encodeAll(value)}`)
    .toSorted()
    .join("&");
  const canonical = [
    method,
    url.pathname
      .split("/")
      .map((part) => encodeAll(decodeURIComponent(part)))
      .join("/"),
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    names,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const time = String(headers["x-amz-date"]);
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), "s3"), "aws4_request");
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex");
  return expected === signature ? null : `another signature of\n${canonical}`;
}

/** RFC 3986, as the reference asks for. */
function encodeAll(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
