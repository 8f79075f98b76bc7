import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface ServedFile {
  readonly bytes: Uint8Array;
  readonly etag?: string;
  /** Answers break off after so many bytes, in turn; further ones do not. */
  readonly cuts?: number[];
  /** Answers without ranges, and says no length. */
  readonly isPlain?: boolean;
  /** What requests must carry, `name: value`. */
  readonly needs?: string;
  /** Called before the body is sent; the answer waits for it. */
  readonly gate?: () => Promise<void>;
}

/** A source of files as there are many: with ranges and ETags, and connections that break. */
export class SourceServer {
  readonly files = new Map<string, ServedFile>();
  readonly handlers = new Map<string, RequestListener>();
  readonly requests: { readonly path: string; readonly headers: IncomingMessage["headers"] }[] = [];
  readonly #server: Server;
  readonly #scheme: string;

  private constructor(tls?: { readonly key: Buffer; readonly cert: Buffer }) {
    const answer: RequestListener = (request, response) => void this.#answer(request, response);
    this.#server = tls ? createTlsServer(tls, answer) : createServer(answer);
    this.#scheme = tls ? "https" : "http";
  }

  static async start(tls?: { readonly key: Buffer; readonly cert: Buffer }): Promise<SourceServer> {
    const server = new SourceServer(tls);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path: string): string {
    return `${this.#scheme}://127.0.0.1:${this.port}${path}`;
  }

  /** The ranges that were asked for of a file, in order. */
  ranges(path: string): (string | undefined)[] {
    return this.requests.filter((request) => request.path === path).map(({ headers }) => headers.range);
  }

  /** Where the answers began that were asked for, in order. */
  startsOf(path: string): number[] {
    return this.ranges(path).map((range) => Number(/\d+/.exec(range ?? "0")?.[0]));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").split("?")[0] ?? "";
    this.requests.push({ path, headers: request.headers });
    const handler = this.handlers.get(path);
    if (handler) return handler(request, response);
    const file = this.files.get(path);
    if (!file) return void response.writeHead(404).end("nothing");
    if (file.needs && !isMet(file.needs, request)) return void response.writeHead(401).end("who are you?");
    await file.gate?.();
    this.#send(file, request, response);
  }

  #send(file: ServedFile, { headers }: IncomingMessage, response: ServerResponse): void {
    const { bytes, etag } = file;
    const [, start = ""] = /^bytes=(\d+)-$/.exec(headers.range ?? "") ?? [];
    const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
    const isRange = start !== "" && isSame && !file.isPlain;
    const from = isRange ? Number(start) : 0;
    if (from >= bytes.byteLength && isRange)
      return void response.writeHead(416, { "content-range": `bytes */${bytes.byteLength}` }).end();
    const rest = bytes.subarray(from);
    response.writeHead(isRange ? 206 : 200, {
      "content-type": "application/octet-stream",
      ...(etag && { etag }),
      ...(!file.isPlain && { "content-length": rest.byteLength }),
      ...(isRange && { "content-range": `bytes ${from}-${bytes.byteLength - 1}/${bytes.byteLength}` }),
    });
    const cut = file.cuts?.shift();
    if (cut === undefined) return void response.end(rest);
    response.write(rest.subarray(0, cut), () => response.destroy());
  }
}

function isMet(needs: string, { headers }: IncomingMessage): boolean {
  const [name = "", ...value] = needs.split(": ");
  return headers[name.toLowerCase()] === value.join(": ");
}
