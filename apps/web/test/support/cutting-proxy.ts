import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a browser and the service, and resets the connection of an upload at a byte of the test's choice. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #armed: { left: number; readonly done: () => void } | null = null;

  private constructor(port: number) {
    this.#server = createServer((client) => this.#pass(client, port));
  }

  static async before(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(Number(new URL(url).port));
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Resets whichever connection has sent so many bytes, once; resolves then. Nothing but an upload sends that much. */
  resetAfter(bytes: number): Promise<void> {
    return new Promise((done) => {
      this.#armed = { left: bytes, done };
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #pass(client: Socket, port: number): void {
    const service = connect(port, "127.0.0.1");
    for (const socket of [client, service]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    }
    client.on("data", (chunk: Buffer) => this.#count(chunk.length, client, service));
    client.pipe(service).pipe(client);
    client.on("close", () => service.destroy());
    service.on("close", () => client.destroy());
  }

  #count(bytes: number, client: Socket, service: Socket): void {
    if (!this.#armed) return;
    this.#armed.left -= bytes;
    if (this.#armed.left > 0) return;
    client.resetAndDestroy();
    service.destroy();
    this.#armed.done();
    this.#armed = null;
  }
}
