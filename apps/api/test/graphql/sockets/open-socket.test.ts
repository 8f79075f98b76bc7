import { once } from "node:events";
import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { OpenSocket, type OpenSocketOptions } from "../../../src/graphql/sockets/open-socket.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Both ends of a connection over TCP. */
async function connected(options: Partial<OpenSocketOptions>, client: { autoPong?: boolean } = {}) {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const server = new WebSocketServer({ server: http });
  const incoming = once(server, "connection");
  const place = http.address() as { port: number };
  const far = new WebSocket(`ws://127.0.0.1:${place.port}`, client);
  far.on("error", () => {});
  const [near] = (await incoming) as [WebSocket];
  if (far.readyState !== WebSocket.OPEN) await once(far, "open");
  cleanUps.push(
    () => far.terminate(),
    () => http.close(),
  );
  const open = new OpenSocket(near, { admit: () => {}, log: { error: () => {} }, ...options });
  return { near, far, open };
}

async function closeOf(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, "close")) as [number];
  return code;
}

describe("an open socket", () => {
  it("is let go of when the other side is there no more: it answers no ping", async () => {
    const { near } = await connected({ heartbeatMs: 20 }, { autoPong: false });
    expect(await closeOf(near)).toBe(1006);
  });

  it("is let go of when the other side does not read what it is sent", async () => {
    const { near, far, open } = await connected({ heartbeatMs: 50 });
    far.pause();
    const megabyte = "x".repeat(1024 ** 2);
    const sent = Promise.all(Array.from({ length: 16 }, async () => open.transport.send(megabyte)));
    expect(await closeOf(near)).toBe(1006);
    await sent; // nobody waits for ever for what cannot be sent
  });

  it("is closed when nothing is asked for long, and stays while something is under way", async () => {
    const idle = await connected({ heartbeatMs: 20, idleMs: 50 });
    expect(await closeOf(idle.far)).toBe(1000);
    const busy = await connected({ heartbeatMs: 20, idleMs: 50 });
    let finish: () => void = () => {};
    busy.open.transport.onMessage(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    busy.far.send("work");
    await once(busy.near, "message");
    const beats = once(busy.far, "ping");
    for (let i = 0; i < 6; i++) await once(busy.far, "ping");
    await beats;
    expect([busy.far.readyState, busy.open.numUnderWay]).toEqual([WebSocket.OPEN, 1]);
    finish();
    expect(await closeOf(busy.far)).toBe(1000);
  });
});
