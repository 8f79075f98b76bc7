import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { afterAll, afterEach, expect, test } from "vitest";
import { compileProgram } from "../../../../../script/lib/compile-program.mjs";
import { neighborSampler } from "../../../src/sampling/neighbor.sampler.ts";
import { type RemoteSampler, remoteSampler } from "../../../src/sampling/remote/remote-sampler.ts";
import { type SamplerServer, serveSampler } from "../../../src/sampling/remote/serve-sampler.ts";
import type { Sampler, SamplerContext } from "../../../src/sampling/sampler.ts";
import { samplerSuite } from "../../conformance/sampler.suite.ts";
import { ringSampler } from "./ring.ts";

const script = await compileProgram(new URL("./sampler-process.ts", import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function start(): Promise<{ child: ChildProcess; endpoint: string }> {
  const child = fork(script, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  started.push(child);
  const [endpoint] = (await once(child, "message")) as [string];
  return { child, endpoint };
}

const seeds = Int32Array.of(4, 8);
const key = { epoch: 1, step: 0 };

test("a killed sampler process is RANK_LOST, and a stopped one RANK_TIMEOUT, each by its name", async () => {
  const processes = await Promise.all([start(), start()]);
  const options = { secret: null, timeoutMs: 500 };
  const each = await Promise.all(processes.map(({ endpoint }) => remoteSampler([endpoint], options)));
  const expected = await (await ringSampler()).sample(seeds, key);
  for (const sampler of each) expect(await sampler.sample(seeds, key)).toEqual(expected);

  const [killed, stopped] = processes;
  stopped.child.kill("SIGSTOP");
  killed.child.kill("SIGKILL");
  const failures = await Promise.allSettled(each.map((sampler) => sampler.sample(seeds, key)));
  expect(failures).toMatchObject([
    { reason: { code: "RANK_LOST", message: expect.stringContaining(killed.endpoint) } },
    { reason: { code: "RANK_TIMEOUT", message: expect.stringContaining(stopped.endpoint) } },
  ]);
});

test("a batch that has arrived while the rank computed for longer than the time-out is no RANK_TIMEOUT", async () => {
  const { endpoint } = await start();
  const timeoutMs = 500;
  const sampler = await remoteSampler([endpoint], { secret: null, timeoutMs });
  const expected = await (await ringSampler()).sample(seeds, key);
  const drawn = sampler.sample(seeds, key);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeoutMs); // as in one long native call
  expect(await drawn).toEqual(expected);
});

const secret = randomBytes(32);

/** Two servers for all cases of a suite: what they draw with is exchanged between cases. */
function served(make: (context: SamplerContext) => Sampler | Promise<Sampler>) {
  let inner: Sampler | null = null;
  let started: Promise<{ servers: SamplerServer[]; remote: RemoteSampler }> | null = null;
  const relay: Sampler = { sample: (seeds, key, signal) => inner!.sample(seeds, key, signal) };
  const start = async () => {
    const servers = await Promise.all([0, 1].map(() => serveSampler({ sampler: relay, secret, threads: 2 })));
    const remote = await remoteSampler(
      servers.map(({ endpoint }) => endpoint),
      { secret },
    );
    return { servers, remote };
  };
  return {
    create: async (context: SamplerContext) => {
      inner = await make(context);
      started ??= start();
      return (await started).remote;
    },
    close: async () => {
      const { servers, remote } = await started!;
      await remote.close();
      for (const server of servers) await server.close();
    },
  };
}

const byWeight = served((context) =>
  neighborSampler.create(neighborSampler.options.parse({ fanouts: [3, 2], probability: "weight" }), context),
);
const uniform = served((context) =>
  neighborSampler.create(neighborSampler.options.parse({ fanouts: [3, 2] }), context),
);
afterAll(async () => {
  await byWeight.close();
  await uniform.close();
});

samplerSuite({
  name: "neighbor [3, 2] by weight by two sampler servers",
  numHops: 2,
  create: byWeight.create,
  expectedPicks: (degree, hop) => Math.min(degree, [3, 2][hop]!),
  replace: false,
  weighted: true,
  importance: "inverse probability",
});

samplerSuite({
  name: "neighbor [3, 2] by two sampler servers",
  numHops: 2,
  create: uniform.create,
  expectedPicks: (degree, hop) => Math.min(degree, [3, 2][hop]!),
  replace: false,
});
