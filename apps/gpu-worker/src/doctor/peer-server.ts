import { createServer, type Server, type Socket } from "node:net";
import type { Env } from "../env.ts";
import { bulkBytes, bulkRequest, echoRequest, idBytes } from "./wire.ts";

type Network = NonNullable<Env["network"]>;

/**
 * Waits where a rank would: at the worker's own address, on the first free port of its range. It answers who says the
 * id of the check, and nobody else.
 *
 * @throws Error when no port of the range is free, or the address is not one of this host
 */
export async function listenForPeers({ address, ports }: Network, id: string): Promise<Server> {
  const [first, last] = ports ? [ports.first, ports.last] : [0, 0];
  for (let port = first; port <= last; port++) {
    const server = createServer((socket) => answer(socket, Buffer.from(id)));
    const error = await listening(server, address, port);
    if (error === null) return server;
    if (error.code !== "EADDRINUSE") throw new Error(`cannot listen at ${address}: ${error.message}`);
  }
  throw new Error(`every port from ${first} to ${last} of ${address} is taken; widen HOPWISE_RANK_PORTS`);
}

function listening(server: Server, host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    server.once("error", resolve);
    server.listen({ host, port }, () => resolve(null));
  });
}

function answer(socket: Socket, id: Buffer): void {
  let greeting = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on("error", () => socket.destroy());
  socket.on("data", (data) => {
    const missing = idBytes - greeting.length;
    greeting = Buffer.concat([greeting, data.subarray(0, missing)]);
    if (greeting.length < idBytes) return;
    const isKnown = greeting.equals(id);
    if (!isKnown) socket.destroy();
    for (const request of isKnown ? data.subarray(missing) : []) {
      if (request === echoRequest) socket.write(Buffer.of(request));
      else if (request === bulkRequest) socket.write(Buffer.alloc(bulkBytes));
      else socket.destroy();
    }
  });
}
