import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { listenForPeers } from "../../src/doctor/peer-server.ts";
import { probePeer } from "../../src/doctor/probe-peer.ts";

const id = "0123456789abcdef0123456789abcdef";
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function peer(): Promise<number> {
  const server = await listenForPeers({ address: "127.0.0.1", ports: null }, id);
  servers.push(server);
  return portOf(server);
}
const portOf = (server: Server) => (server.address() as { port: number }).port;

test("a peer of the same check answers, with its time and speed", async () => {
  const found = await probePeer("127.0.0.1", await peer(), id);
  expect(found).toMatchObject({ ok: true });
  if (!found.ok) return;
  expect(found.roundTripMs).toBeGreaterThan(0);
  expect(found.mibPerSecond).toBeGreaterThan(1);
});

test("a peer answers nobody who does not know the check's id", async () => {
  const found = await probePeer("127.0.0.1", await peer(), id.replace("0", "f"));
  expect(found).toEqual({ ok: false, why: expect.stringMatching(/closed the connection|ECONNRESET|EPIPE/) });
});

test("a port where nobody listens is refused with its address", async () => {
  const port = await peer();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  const found = await probePeer("127.0.0.1", port, id);
  expect(found).toEqual({ ok: false, why: expect.stringContaining(`127.0.0.1:${port}: connect ECONNREFUSED`) });
});

test("a peer that accepts and says nothing is given up", async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  const found = await probePeer("127.0.0.1", portOf(server), id, 200);
  expect(found).toEqual({ ok: false, why: expect.stringContaining("no answer within 0.2 s") });
  for (const socket of sockets) socket.destroy();
});
