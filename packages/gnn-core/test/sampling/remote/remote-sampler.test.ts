import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createBlockSampler } from "../../../src/sampling/block-sampler.ts";
import { NodeLoader } from "../../../src/sampling/node-loader.ts";
import { encodeHeader, frameKinds } from "../../../src/sampling/remote/frames.ts";
import { remoteSampler } from "../../../src/sampling/remote/remote-sampler.ts";
import { type SamplerServer, serveSampler } from "../../../src/sampling/remote/serve-sampler.ts";
import type { BatchKey, Sampler } from "../../../src/sampling/sampler.ts";
import { withDegrees } from "../../../src/sampling/with-degrees.ts";
import { cutInto } from "../../support/graphs.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const secret = randomBytes(32);
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close();
});

async function serve(
  sampler: Sampler,
  options: Partial<Parameters<typeof serveSampler>[0]> = {},
): Promise<SamplerServer> {
  const server = await serveSampler({ sampler, secret, ...options });
  open.push(server);
  return server;
}

async function ask(servers: readonly SamplerServer[], options: Partial<Parameters<typeof remoteSampler>[1]> = {}) {
  const sampler = await remoteSampler(
    servers.map(({ endpoint }) => endpoint),
    { secret, ...options },
  );
  open.push(sampler);
  return sampler;
}

const numNodes = 300;
async function graph() {
  const random = seededRandom(9);
  const nodes = () => Array.from({ length: 3000 }, () => Math.floor(random() * numNodes));
  return cutInto(2, numNodes, { src: nodes(), dst: nodes() });
}

async function local(): Promise<Sampler> {
  const whole = await graph();
  return withDegrees(createBlockSampler({ graph: whole, fanouts: [5, 3], replace: false, seed: 4 }), whole);
}

const batches = Array.from({ length: 10 }, (_, step) => ({
  epoch: 2,
  step,
  seeds: Int32Array.from({ length: 16 }, (_seed, i) => (step * 17 + i * 5) % numNodes),
}));
const [first] = batches as [(typeof batches)[number]];

async function blocksOf(sampler: Sampler) {
  const all = [];
  for await (const { step, blocks } of new NodeLoader({ sampler, features: null, labels: null, batches })) {
    expect(step).toBe(all.length);
    all.push(blocks);
  }
  return all;
}

/** Answers nothing until it is let go, and notes what it was asked for. */
class Held implements Sampler {
  readonly asked: BatchKey[] = [];
  readonly aborted: BatchKey[] = [];
  /** Batches in the making at a time */
  most = 0;
  #making = 0;
  readonly #sampler: Sampler;
  readonly #gates = new Map<number, () => void>();
  #wake: () => void = () => undefined;

  constructor(sampler: Sampler) {
    this.#sampler = sampler;
  }

  async sample(seeds: Int32Array, key: BatchKey, signal?: AbortSignal) {
    signal?.addEventListener("abort", () => {
      this.aborted.push(key);
      this.#wake();
    });
    this.asked.push(key);
    this.most = Math.max(this.most, ++this.#making);
    const gate = new Promise<void>((resolve) => this.#gates.set(key.step, resolve));
    this.#wake();
    await gate;
    this.#making -= 1;
    return this.#sampler.sample(seeds, key);
  }

  letGo(step: number): void {
    this.#gates.get(step)!();
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

describe("sampler processes", () => {
  test.each([1, 2, 3])(
    "%d of them give the blocks that the rank itself draws, bit by bit, degrees included",
    async (count) => {
      const sampler = await local();
      const servers = await Promise.all(Array.from({ length: count }, () => serve(sampler)));
      const expected = await blocksOf(sampler);
      expect(expected[0]?.[0]?.srcDegrees).toHaveLength(expected[0]?.[0]?.numSrc ?? -1);
      expect(await blocksOf(await ask(servers))).toEqual(expected);
    },
  );

  test("batches are shared among them, and come in their order when later ones are drawn first", async () => {
    const held = await Promise.all([0, 1].map(async () => new Held(await local())));
    const servers = await Promise.all(held.map((sampler) => serve(sampler, { threads: 2 })));
    const loader = new NodeLoader({
      sampler: await ask(servers),
      features: null,
      labels: null,
      batches: batches.slice(0, 4),
    });
    const loaded = (async () => {
      const steps = [];
      for await (const { step } of loader) steps.push(step);
      return steps;
    })();
    await Promise.all(held.map((sampler) => sampler.until(() => sampler.asked.length === 2)));
    for (const sampler of held) for (const { step } of sampler.asked.toReversed()) sampler.letGo(step);
    expect(await loaded).toEqual([0, 1, 2, 3]);
  });

  test("draw so many batches at a time as they have threads, for all ranks together", async () => {
    const held = new Held(await local());
    const server = await serve(held, { threads: 2 });
    const ranks = [await ask([server], { rank: 0 }), await ask([server], { rank: 1 })];
    const drawn = batches.slice(0, 8).map(({ seeds, ...key }, i) => ranks[i % 2]!.sample(seeds, key));
    for (let numDone = 0; numDone < 8; numDone++) {
      await held.until(() => held.asked.length >= Math.min(8, numDone + 2));
      held.letGo(held.asked[numDone]!.step);
    }
    expect(await Promise.all(drawn)).toHaveLength(8);
    expect(held.most).toBe(2);
  });

  test("have served when every rank has said that it is done", async () => {
    const server = await serve(await local());
    const ranks = [await ask([server], { rank: 0 }), await ask([server], { rank: 1 })];
    const both = server.served(2);
    await ranks[0]!.close();
    await server.served(1);
    await ranks[1]!.close();
    await both;
  });

  test("tell that a rank left without a word", async () => {
    const server = await serve(await local(), { secret: null });
    const socket = connect(Number(server.endpoint.split(":")[1]), "127.0.0.1");
    socket.write(encodeHeader(frameKinds.hello, 7, 0));
    socket.end();
    await expect(server.served(1)).rejects.toMatchObject({
      code: "RANK_LOST",
      message: expect.stringContaining("Rank 7"),
    });
  });
});

describe("a rank that asks sampler processes", () => {
  test("hears what the sampler says of a seed, and of what is no error of the engine", async () => {
    const server = await serve({ sample: () => Promise.reject(new RangeError("no such luck")) });
    await expect((await ask([server])).sample(first.seeds, first)).rejects.toThrow("no such luck");
  });

  test("hears RANK_LOST naming the process when it is gone, for batches under way and later ones", async () => {
    const held = new Held(await local());
    const servers = [await serve(await local()), await serve(held)];
    const sampler = await ask(servers);
    const drawn = [sampler.sample(first.seeds, first), sampler.sample(first.seeds, first)];
    await held.until(() => held.asked.length === 1);
    await servers[1]!.close();
    const [here, gone] = await Promise.allSettled(drawn);
    expect(here?.status).toBe("fulfilled");
    expect(gone).toMatchObject({
      reason: { code: "RANK_LOST", message: expect.stringContaining(servers[1]!.endpoint) },
    });
    await expect(sampler.sample(first.seeds, first)).rejects.toMatchObject({ code: "RANK_LOST" });
  });

  test("hears RANK_TIMEOUT naming the process that does not answer, and a late answer disturbs nobody", async () => {
    const held = new Held(await local());
    const server = await serve(held, { threads: 2 });
    const sampler = await ask([server], { timeoutMs: 50 });
    const late = sampler.sample(first.seeds, first);
    await expect(late).rejects.toMatchObject({
      code: "RANK_TIMEOUT",
      message: expect.stringContaining("Sampler 0 at 127."),
    });
    held.letGo(0);
    const patient = await ask([server]);
    const next = patient.sample(first.seeds, { epoch: 2, step: 1 });
    await held.until(() => held.asked.length === 2);
    held.letGo(1);
    expect(await next).toHaveLength(2);
  });

  test("takes back what it has asked for when its signal aborts", async () => {
    const held = new Held(await local());
    const server = await serve(held);
    const sampler = await ask([server]);
    const controller = new AbortController();
    const drawn = sampler.sample(first.seeds, first, controller.signal);
    await held.until(() => held.asked.length === 1);
    controller.abort(new Error("not needed"));
    await expect(drawn).rejects.toThrow("not needed");
    await held.until(() => held.aborted.length === 1);
    held.letGo(0);
  });

  test.each([
    ["another secret", { secret: randomBytes(32) }],
    ["no secret", { secret: null, timeoutMs: 2000 }],
  ])("with %s is refused, and the process goes on for others", async (_name, options) => {
    const sampler = await local();
    const server = await serve(sampler);
    const refused = ask([server], options).then((remote) => remote.sample(first.seeds, first));
    await expect(refused).rejects.toMatchObject({ code: "RANK_LOST" });
    expect(await (await ask([server])).sample(first.seeds, first)).toEqual(await sampler.sample(first.seeds, first));
  });

  test("hears RANK_TIMEOUT when nobody answers its handshake", async () => {
    const silent = createServer(() => undefined);
    const endpoint = await listening(silent);
    await expect(remoteSampler([endpoint], { secret, timeoutMs: 50 })).rejects.toMatchObject({ code: "RANK_TIMEOUT" });
  });

  test.each(["sampler", "127.0.0.1", "localhost:4000"])("refuses the endpoint %s", async (endpoint) => {
    await expect(remoteSampler([endpoint], { secret })).rejects.toMatchObject({ code: "SPEC_INVALID" });
  });
});

async function listening(server: Server): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe("what is no frame", () => {
  const hello = encodeHeader(frameKinds.hello, 3, 0);
  const request = (numBytes: number) => encodeHeader(frameKinds.request, 1, numBytes);
  test.each([
    ["other words", [Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n")], "begins with"],
    ["a request before hello", [request(8), Buffer.alloc(8)], ""],
    ["a frame longer than any batch", [hello, request(2 ** 31)], "longer than"],
    ["a request of half a number", [hello, request(10), Buffer.alloc(10)], "whole numbers"],
    ["a request without a step", [hello, request(4), Buffer.alloc(4)], "expected"],
    ["an answer", [hello, encodeHeader(frameKinds.blocks, 1, 0)], "kind 5"],
  ] as const)("ends a rank's connection: %s", async (_name, frames, reason) => {
    const sampler = await local();
    const server = await serve(sampler, { secret: null });
    const lost = server.served(1).catch((error: unknown) => error);
    const socket = connect(Number(server.endpoint.split(":")[1]), "127.0.0.1");
    socket.on("error", () => undefined);
    for (const frame of frames) socket.write(frame);
    await once(socket, "close");
    if (frames[0] === hello)
      expect(await lost).toMatchObject({ code: "RANK_LOST", message: expect.stringContaining(reason) });
    expect(await (await ask([server], { secret: null })).sample(first.seeds, first)).toHaveLength(2);
  });

  const blocks = (...numbers: number[]) => [
    encodeHeader(frameKinds.blocks, 1, numbers.length * 4),
    Buffer.from(Int32Array.from(numbers).buffer),
  ];
  test.each([
    ["other words", [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")]],
    ["a request", [request(0)]],
    ["an answer that nobody asked for", [encodeHeader(frameKinds.blocks, 9, 0)]],
    ["no blocks at all", [encodeHeader(frameKinds.blocks, 1, 0)]],
    ["more blocks than follow", blocks(2 ** 30)],
    ["a block of more dst than src rows", blocks(1, 1, 2, 0, 0, 0, 0, 0, 5)],
    ["a block whose offsets end elsewhere", blocks(1, 1, 1, 1, 0, 0, 7, 0, 5)],
    ["a block of a negative length", blocks(1, -1, -1, 0, 0)],
    ["numbers behind the blocks", blocks(1, 1, 1, 0, 0, 0, 0, 5, 99)],
    ["a failure that is no JSON", [encodeHeader(frameKinds.failure, 1, 4), Buffer.from("oops")]],
  ])("is RANK_LOST to the rank that asked: %s", async (_name, frames) => {
    const endpoint = await listening(
      createServer((socket) => socket.on("data", () => socket.write(Buffer.concat(frames)))),
    );
    const sampler = await remoteSampler([endpoint], { secret: null });
    open.push(sampler);
    await expect(sampler.sample(first.seeds, first)).rejects.toMatchObject({ code: "RANK_LOST" });
  });
});

describe("where a sampler process listens", () => {
  test.each([
    ["every interface", { address: "0.0.0.0" }],
    ["every interface, as IPv6", { address: "::" }],
    ["a name", { address: "localhost" }],
    ["an address of others without a secret", { address: "192.0.2.1", secret: null }],
    ["a short secret", { secret: randomBytes(16) }],
  ])("is not %s", async (_name, options) => {
    await expect(serve(await local(), options)).rejects.toMatchObject({ code: "SPEC_INVALID" });
  });

  test("is the first free port of its range, and nowhere when none is free", async () => {
    const sampler = await local();
    const { endpoint } = await serve(sampler);
    const port = Number(endpoint.split(":")[1]);
    await expect(serve(sampler, { ports: [port, port] })).rejects.toMatchObject({ code: "RANK_LOST" });
    const next = await serve(sampler, { ports: [port, port + 50] });
    expect(Number(next.endpoint.split(":")[1])).toBeGreaterThan(port);
  });

  test("does not matter to a sampler that plans its epochs: it is refused", async () => {
    const planned: Sampler = { sample: async () => [], epochSeeds: () => [] };
    await expect(serve(planned)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/resources/samplers" },
    });
  });
});
