import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

const requestLine = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (\S+) HTTP\/1\.1\r\n/;
const isUpload = (method = "", path = "") => method === "PATCH" && path.startsWith("/v1/uploads/");

/**
 * Stands between a browser and the service as a network does, and harms connections: below HTTP, so that the browser
 * meets resets and silence as they are. Uploads can be held at a byte, so that a test strikes in the midst of one
 * however fast the machine is.
 */
export class CuttingProxy {
  readonly #upstream: URL;
  readonly #server: Server;
  #port = 0;
  readonly #links = new Set<Link>();
  readonly #rules: Rules = { uploaded: 0, holdAfter: Number.POSITIVE_INFINITY, failWith: null, onHeld: () => {} };

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
    this.#server = createServer((client) => this.#open(client));
  }

  static async before(upstream: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(upstream);
    await proxy.accept();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /**
   * Uploads get no further than so many bytes, in however many requests.
   *
   * @returns a wait for the next one that is held there
   */
  holdUploads(afterBytes: number): { readonly held: Promise<void> } {
    this.#rules.uploaded = 0;
    this.#rules.holdAfter = afterBytes;
    return { held: new Promise((resolve) => (this.#rules.onHeld = resolve)) };
  }

  /** Lets uploads pass, those that are held too. */
  letUploadsPass(): void {
    this.#rules.holdAfter = Number.POSITIVE_INFINITY;
    for (const link of this.#links) link.goOn();
  }

  /** The service gets nothing of the next upload; its answer, once all of it was sent, has this status and no body. */
  failNextUpload(status: number): void {
    this.#rules.failWith = status;
  }

  /** Ends every connection at once by RST, as a router does that has forgotten it. */
  reset(): void {
    for (const link of this.#links) link.reset();
  }

  /** No byte of the uploads that are being sent gets through any more in either direction, and nobody is told. */
  freezeUploads(): void {
    for (const link of this.#links) if (link.isUploading) link.freeze();
  }

  /** Ends every connection and takes none, until `accept`. */
  async refuse(): Promise<void> {
    this.#server.close();
    this.reset();
    await once(this.#server, "close");
  }

  /** Takes connections, where it took them before. */
  async accept(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #open(client: Socket): void {
    const service = connect(Number(this.#upstream.port), this.#upstream.hostname);
    const link = new Link(client, service, this.#rules);
    this.#links.add(link);
    client.once("close", () => this.#links.delete(link));
  }
}

interface Rules {
  /** Bytes of uploads since they are held */
  uploaded: number;
  holdAfter: number;
  failWith: number | null;
  onHeld: () => void;
}

/** A browser's connection, and the one to the service that belongs to it. */
class Link {
  readonly #client: Socket;
  readonly #service: Socket;
  readonly #rules: Rules;
  #isUploading = false;
  /** Bytes of a failing upload that are still to come */
  #swallowing = 0;
  #isFrozen = false;

  constructor(client: Socket, service: Socket, rules: Rules) {
    this.#client = client;
    this.#service = service;
    this.#rules = rules;
    client.on("data", (chunk) => this.#take(chunk));
    service.on("data", (chunk) => this.#pass(chunk, service, client));
    for (const socket of [client, service]) {
      socket.setNoDelay(true);
      socket.on("error", () => {}); // "close" follows, which ends both
      socket.once("close", () => this.#end());
    }
  }

  get isUploading(): boolean {
    return this.#isUploading;
  }

  goOn(): void {
    if (this.#isFrozen) return;
    this.#service.resume();
    if (!this.#isHeld) this.#client.resume();
  }

  reset(): void {
    this.#client.resetAndDestroy();
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#client.pause();
    this.#service.pause();
  }

  get #isHeld(): boolean {
    return this.#isUploading && this.#rules.uploaded >= this.#rules.holdAfter;
  }

  #end(): void {
    // A frozen browser's side never learns of the other's end.
    if (this.#isFrozen && !this.#client.destroyed) return;
    this.#client.destroy();
    this.#service.destroy();
  }

  #take(chunk: Buffer): void {
    const [, method, path] = requestLine.exec(chunk.toString("latin1", 0, 2000)) ?? [];
    if (method !== undefined) this.#begin(chunk, isUpload(method, path));
    if (this.#swallowing > 0) return this.#swallow(chunk);
    this.#pass(chunk, this.#client, this.#service);
    if (this.#isUploading) this.#rules.uploaded += chunk.byteLength;
    if (!this.#isHeld) return;
    this.#client.pause();
    this.#rules.onHeld();
  }

  #pass(chunk: Buffer, from: Socket, to: Socket): void {
    if (to.destroyed || to.write(chunk)) return;
    from.pause();
    to.once("drain", () => this.goOn());
  }

  #begin(chunk: Buffer, isUploadHead: boolean): void {
    this.#isUploading = isUploadHead;
    if (!isUploadHead || this.#rules.failWith === null) return;
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(chunk.toString("latin1")) ?? [];
    this.#swallowing = chunk.indexOf("\r\n\r\n") + 4 + Number(length);
  }

  #swallow(chunk: Buffer): void {
    this.#swallowing -= chunk.byteLength;
    if (this.#swallowing > 0) return;
    const status = this.#rules.failWith;
    this.#rules.failWith = null;
    this.#client.end(`HTTP/1.1 ${status} Failed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  }
}
