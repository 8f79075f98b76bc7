import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { InMemoryRendezvousStore } from "../../src/dist/rendezvous-store.ts";
import type { RowService } from "../../src/dist-store/row-service.ts";
import { connectRowService, type RowServiceOptions } from "../../src/dist-store/zeromq-rows.ts";
import { failureOf, rowServiceSuite } from "../conformance/row-service.suite.ts";
import { relayedRows, type TcpRelay } from "../support/tcp-relay.ts";
import { driveRows } from "./drive-rows.ts";

const open: RowService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});

async function connect(options: RowServiceOptions): Promise<RowService> {
  const service = await connectRowService(options);
  open.push(service);
  return service;
}

rowServiceSuite("over ZeroMQ", async (worldSize, timeoutMs) => {
  const store = new InMemoryRendezvousStore();
  const secret = randomBytes(32);
  const services = await Promise.all(
    Array.from({ length: worldSize }, (_, rank) => connectRowService({ rank, worldSize, store, secret, timeoutMs })),
  );
  return {
    ranks: services.map(driveRows),
    stop: async () => {
      await Promise.all(services.map((service) => service.close()));
    },
  };
});

test("a rank with another secret is turned away, and nobody waits for it longer than the time-out", async () => {
  const store = new InMemoryRendezvousStore();
  const results = await Promise.all([
    failureOf(connect({ rank: 0, worldSize: 2, store, secret: randomBytes(32), timeoutMs: 5000 })),
    failureOf(connect({ rank: 1, worldSize: 2, store, secret: randomBytes(32), timeoutMs: 5000 })),
  ]);
  for (const code of results) expect(code).toMatch(/RANK_LOST|RANK_TIMEOUT/);
});

test("a rank without a secret does not get into a job that has one", async () => {
  const store = new InMemoryRendezvousStore();
  const results = await Promise.all([
    failureOf(connect({ rank: 0, worldSize: 2, store, secret: randomBytes(32), timeoutMs: 5000 })),
    failureOf(connect({ rank: 1, worldSize: 2, store, secret: null, timeoutMs: 5000 })),
  ]);
  for (const code of results) expect(code).toMatch(/RANK_LOST|RANK_TIMEOUT/);
});

test("when a rank does not start, the others give up after the time-out and name its key", async () => {
  const store = new InMemoryRendezvousStore();
  const waiting = connect({ rank: 0, worldSize: 2, store, secret: randomBytes(32), timeoutMs: 200 });
  await expect(waiting).rejects.toMatchObject({ code: "RANK_TIMEOUT", message: expect.stringContaining("rows_1") });
});

test("a cut connection is RANK_LOST to the calls that wait for it, and stays so: nobody reads on behind a gap", async () => {
  const relays: TcpRelay[] = [];
  const store = relayedRows(new InMemoryRendezvousStore(), relays, 20);
  const common = { worldSize: 2, store, secret: randomBytes(32) };
  const ranks = await Promise.all([connect({ rank: 0, ...common }), connect({ rank: 1, ...common })]);
  const table = { dtype: "float32", dim: 1, offsets: [0, 1, 2] } as const;
  for (const [r, rank] of ranks.entries()) rank.host("t", table, Float32Array.of(10 + r));
  const [near] = ranks;
  expect([...(await near.get("t", Int32Array.of(1, 0)))]).toEqual([11, 10]);
  // The request is still under way when the blow strikes.
  const waiting = failureOf(near.get("t", Int32Array.of(1)));
  for (const relay of relays) relay.cut();
  expect(await waiting).toBe("RANK_LOST");
  expect(await failureOf(near.get("t", Int32Array.of(1)))).toBe("RANK_LOST");
  expect([...(await near.get("t", Int32Array.of(0)))]).toEqual([10]);
  for (const relay of relays) relay.close();
});

test.each(["0.0.0.0", "::", "*", "localhost", ""])("it does not listen on %j", async (address) => {
  const store = new InMemoryRendezvousStore();
  expect(await failureOf(connect({ rank: 0, worldSize: 1, store, secret: randomBytes(32), address }))).toBe(
    "SPEC_INVALID",
  );
});

test("without a secret it listens on loopback addresses only, and secrets have 32 bytes", async () => {
  const store = new InMemoryRendezvousStore();
  const alone = { rank: 0, worldSize: 1, store };
  expect(await failureOf(connect({ ...alone, secret: null, address: "192.0.2.1" }))).toBe("SPEC_INVALID");
  expect(await failureOf(connect({ ...alone, secret: randomBytes(31) }))).toBe("SPEC_INVALID");
  await connect({ ...alone, secret: null });
});

test("it takes the first free port of its range, and says so when there is none", async () => {
  const endpointOf = async (options: Omit<RowServiceOptions, "rank" | "worldSize" | "store" | "secret">) => {
    const store = new InMemoryRendezvousStore();
    await connect({ rank: 0, worldSize: 1, store, secret: randomBytes(32), ...options });
    return new TextDecoder().decode(await store.get("rows_0", new AbortController().signal));
  };
  const first = await endpointOf({ address: "127.0.0.2" });
  expect(first).toMatch(/^tcp:\/\/127\.0\.0\.2:\d+$/);
  const port = Number(first.split(":").at(-1));
  const second = await endpointOf({ address: "127.0.0.2", ports: [port, Math.min(port + 20, 65535)] });
  expect(Number(second.split(":").at(-1))).toBeGreaterThan(port);
  expect(await failureOf(endpointOf({ address: "127.0.0.2", ports: [port, port] }))).toBe("RANK_LOST");
});
