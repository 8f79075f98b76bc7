import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * Stands between a client and a server like a network, and cuts it: what comes after so many bytes is lost with the
 * connection.
 */
export class CuttingProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #cuts: Cut[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async before(target: number): Promise<CuttingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const proxy = new CuttingProxy(server, address.port);
    server.on("connection", (client) => proxy.#serve(client, connect(target, "127.0.0.1")));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Cuts the next connection that carries more than so many bytes this way. */
  cut(cut: Cut): void {
    this.#cuts.push(cut);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(client: Socket, target: Socket): void {
    const end = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", end);
    }
    this.#carry(client, target, "up", end);
    this.#carry(target, client, "down", end);
  }

  #carry(from: Socket, to: Socket, way: Cut["way"], end: () => void): void {
    let carried = 0;
    from.on("data", (data) => {
      const cut = this.#cuts[0];
      if (cut?.way === way && carried + data.length > cut.after) {
        this.#cuts.shift();
        return end();
      }
      carried += data.length;
      if (!to.write(data)) from.pause();
    });
    to.on("drain", () => from.resume());
  }
}

export interface Cut {
  readonly way: "up" | "down";
  /** Bytes that come through */
  readonly after: number;
}
