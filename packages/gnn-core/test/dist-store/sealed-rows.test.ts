import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { InMemoryRendezvousStore, type RendezvousStore } from "../../src/dist/rendezvous-store.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import { connectRowService } from "../../src/dist-store/zeromq-rows.ts";
import { failureOf } from "../conformance/row-service.suite.ts";
import { type OnTheWay, ZmtpRelay } from "../support/zmtp-relay.ts";
import { ZmtpPeer } from "./zmtp-peer.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(undo.splice(0).map((close) => close()));
});

const dim = 64;
const table = { dtype: "int32", dim, offsets: [0, 4, 8], readOnly: true } as const;
const rowOf = (id: number) => Array.from({ length: dim }, (_, column) => 1_000_003 * id + column);

/** Two ranks; what the first asks of the second, and its answers, go through a relay. */
async function relayed(secret: Uint8Array | null): Promise<{ near: RowService; relay: ZmtpRelay }> {
  const shared = new InMemoryRendezvousStore();
  let relay: ZmtpRelay | undefined;
  const store: RendezvousStore = {
    set: (key, value) => shared.set(key, value),
    async get(key, signal) {
      const endpoint = new TextDecoder().decode(await shared.get(key, signal));
      if (key !== "rows_1") return new TextEncoder().encode(endpoint);
      relay = await ZmtpRelay.start({ host: "127.0.0.1", port: Number(endpoint.split(":").at(-1)) });
      return new TextEncoder().encode(`tcp://127.0.0.1:${relay.port}`);
    },
  };
  const common = { worldSize: 2, secret, timeoutMs: 10_000 };
  const ranks = await Promise.all([
    connectRowService({ rank: 0, store, ...common }),
    connectRowService({ rank: 1, store: shared, ...common }),
  ]);
  for (const [rank, service] of ranks.entries()) {
    service.host("t", table, Int32Array.from([0, 1, 2, 3].flatMap((row) => rowOf(4 * rank + row))));
    undo.push(() => service.close());
  }
  undo.push(() => relay?.close());
  return { near: ranks[0], relay: relay as ZmtpRelay };
}

const readRow = async (service: RowService, id: number) => [...(await service.get("t", Int32Array.of(id)))];

function withByteChanged(message: Buffer): Buffer[] {
  const changed = Buffer.from(message);
  changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1;
  return [changed];
}

/** Swaps every two messages. */
function exchanged(): OnTheWay {
  let held: Buffer | null = null;
  return (message) => {
    const pair = held && [message, held];
    held = held ? null : Buffer.from(message);
    return pair ?? [];
  };
}

function leftOut(): OnTheWay {
  let isFirst = true;
  return (message) => {
    const kept = isFirst ? [] : [message];
    isFirst = false;
    return kept;
  };
}

describe.each(["requests", "replies"] as const)("%s between ranks with a secret", (way) => {
  test.each<[string, () => OnTheWay]>([
    ["with a byte changed", () => withByteChanged],
    ["cut short", () => (message) => [message.subarray(0, message.length - 1)]],
    ["with more behind them", () => (message) => [Buffer.concat([message, Buffer.from([1])])]],
    ["repeated", () => (message) => [message, Buffer.from(message)]],
    ["left out", leftOut],
    ["in another order", exchanged],
    ["of somebody else", () => (message) => [randomBytes(message.length)]],
  ])("that come %s end the connection: no wrong row is ever given", async (_how, onTheWay) => {
    const { near, relay } = await relayed(randomBytes(32));
    expect(await readRow(near, 5)).toEqual(rowOf(5));
    relay[way] = onTheWay();
    // Two under way at a time, until the connection is lost. Nobody waits for the deadline.
    const ended = new Set<string>();
    for (let i = 0; i < 5 && !ended.has("RANK_LOST"); i++) {
      const ids = [4 + (i % 4), 4 + ((i + 1) % 4)];
      const found = await Promise.allSettled(ids.map((id) => readRow(near, id)));
      for (const [at, result] of found.entries()) {
        if (result.status === "fulfilled") expect(result.value).toEqual(rowOf(ids[at] as number));
        else ended.add(result.reason.code);
      }
    }
    expect([...ended]).toEqual(["RANK_LOST"]);
    expect(await readRow(near, 2)).toEqual(rowOf(2));
  });
});

test.each([true, false])(
  "rows and ids can be read on the way only where there is no secret (secret: %s)",
  async (isSecret) => {
    const { near, relay } = await relayed(isSecret ? randomBytes(32) : null);
    const seen: Buffer[] = [];
    relay.requests = relay.replies = (message) => {
      seen.push(Buffer.from(message));
      return [message];
    };
    expect(await readRow(near, 6)).toEqual(rowOf(6));
    const row = Buffer.from(Int32Array.from(rowOf(6)).buffer);
    expect(Buffer.concat(seen).includes(row.subarray(8, 24))).toBe(!isSecret);
  },
);

test("rows stay whole over changes of the key, which come after each 16 MB", async () => {
  const store = new InMemoryRendezvousStore();
  const options = { worldSize: 2, store, secret: randomBytes(32) };
  const ranks = await Promise.all([0, 1].map((rank) => connectRowService({ rank, ...options })));
  for (const service of ranks) undo.push(() => service.close());
  const numRows = 1000;
  const width = 1000;
  const wide = { dtype: "int32", dim: width, offsets: [0, 0, numRows] } as const;
  const values = Int32Array.from({ length: numRows * width }, (_, i) => (i * 2_654_435_761) | 0);
  ranks[0]!.host("w", wide, new Int32Array(0));
  ranks[1]!.host("w", wide, values.slice());
  const ids = Int32Array.from({ length: numRows }, (_, i) => i);
  for (let i = 0; i < 9; i++) {
    const rows = await ranks[0]!.get("w", ids);
    expect(Buffer.from(rows.buffer).equals(Buffer.from(values.buffer))).toBe(true);
    await ranks[0]!.set("w", ids, values);
  }
});

test("strangers who begin a handshake and never end it, or send noise, keep no rank out", async () => {
  const store = new InMemoryRendezvousStore();
  const options = { worldSize: 2, store, secret: randomBytes(32) };
  const first = connectRowService({ rank: 0, ...options });
  const endpoint = new TextDecoder().decode(await store.get("rows_0", new AbortController().signal));
  for (let i = 0; i < 100; i++) {
    const stranger = await ZmtpPeer.connect(Number(endpoint.split(":").at(-1)));
    stranger.send([Buffer.from([0x16, 3, 1, 2, 0]), randomBytes(20)].slice(0, 1 + (i % 2)));
    undo.push(() => stranger.socket.destroy());
  }
  const ranks = await Promise.all([first, connectRowService({ rank: 1, ...options })]);
  for (const [rank, service] of ranks.entries()) {
    undo.push(() => service.close());
    service.host("t", table, Int32Array.from([0, 1, 2, 3].flatMap((row) => rowOf(4 * rank + row))));
  }
  expect(await readRow(ranks[1], 1)).toEqual(rowOf(1));
});

test("a rank of another secret fails at once, not at the deadline", async () => {
  const store = new InMemoryRendezvousStore();
  const common = { worldSize: 2, store, timeoutMs: 60_000 };
  const ended = await Promise.all(
    [0, 1].map((rank) => failureOf(connectRowService({ rank, secret: randomBytes(32), ...common }))),
  );
  expect(ended).toContain("RANK_LOST");
});
