import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { RendezvousStore } from "../../src/dist/rendezvous-store.ts";

/** Stands between a client and a server: passes bytes on, later if told so, and cuts connections. */
export class TcpRelay {
  readonly #delayMs: number;
  readonly #server = createServer({ allowHalfOpen: true });
  readonly #sockets = new Set<Socket>();

  private constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** @param delayMs for each way */
  static async start(target: { readonly host: string; readonly port: number }, delayMs = 0): Promise<TcpRelay> {
    const relay = new TcpRelay(delayMs);
    relay.#server.on("connection", (near) => {
      const far = connect({ ...target, allowHalfOpen: true });
      relay.#pass(near, far);
      relay.#pass(far, near);
    });
    await once(relay.#server.listen(0, "127.0.0.1"), "listening");
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    // Equal delays keep the order.
    const later = (action: () => void) => setTimeout(action, this.#delayMs);
    from.on("data", (bytes) => later(() => to.writable && to.write(bytes)));
    from.on("end", () => later(() => to.end()));
    from.on("error", () => later(() => to.destroy()));
    from.on("close", () => this.#sockets.delete(from));
  }

  /** Resets every connection; new ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}

/** A rendezvous store that puts a relay before each row service whose endpoint is published in it. */
export function relayedRows(store: RendezvousStore, relays: TcpRelay[], delayMs = 0): RendezvousStore {
  const textOf = new TextDecoder();
  return {
    get: (key, signal) => store.get(key, signal),
    async set(key, value) {
      const [, host, port] = textOf.decode(value).match(/^tcp:\/\/([\d.]+):(\d+)$/) ?? [];
      if (!host) return store.set(key, value);
      const relay = await TcpRelay.start({ host, port: Number(port) }, delayMs);
      relays.push(relay);
      await store.set(key, new TextEncoder().encode(`tcp://127.0.0.1:${relay.port}`));
    },
  };
}
