import { afterEach, expect, test } from "vitest";
import { createLiveSocket } from "../../src/services/live-socket.ts";

/** A WebSocket whose other side lets anybody in and, when told to, answers pings, as none does that is half open. */
function socketOf(answersPings: boolean) {
  const seen = { pings: 0 };
  class Socket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSING = 2;
    static readonly CLOSED = 3;
    readyState = Socket.OPEN;
    onopen = () => {};
    onclose = (_event: unknown) => {};
    onerror = () => {};
    onmessage = (_event: { data: string }) => {};
    constructor() {
      queueMicrotask(() => this.onopen());
    }
    send(text: string): void {
      const { type } = JSON.parse(text) as { type: string };
      if (type === "ping") seen.pings++;
      if (type === "connection_init") this.#answer("connection_ack");
      if (type === "ping" && answersPings) this.#answer("pong");
    }
    // A half-open connection says nothing when it is closed, either.
    close(): void {
      this.readyState = Socket.CLOSING;
    }
    #answer(type: string): void {
      queueMicrotask(() => this.onmessage({ data: JSON.stringify({ type }) }));
    }
  }
  return { Socket, seen };
}

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function follow(answersPings: boolean) {
  const { Socket, seen } = socketOf(answersPings);
  const client = createLiveSocket({ url: "ws://host", webSocketImpl: Socket, askAfterMs: 10, answerWithinMs: 200 });
  const ended: unknown[] = [];
  stops.push(
    client.subscribe(
      { query: "subscription { jobEvents }" },
      { next: () => {}, error: (error) => ended.push(error), complete: () => ended.push("complete") },
    ),
  );
  return { seen, ended };
}

test("a connection whose other side answers no ping is ended, so that what follows over it goes elsewhere", async () => {
  const { ended, seen } = follow(false);
  await expect.poll(() => ended.length, { timeout: 10_000 }).toBe(1);
  expect(seen.pings).toBeGreaterThan(0);
});

test("a connection that is idle but answers stays", async () => {
  const { ended, seen } = follow(true);
  // Far more pings than one deadline has room for.
  await expect.poll(() => seen.pings, { timeout: 15_000 }).toBeGreaterThan(25);
  expect(ended).toEqual([]);
});
