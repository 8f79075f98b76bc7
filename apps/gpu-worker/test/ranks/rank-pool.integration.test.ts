import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leadRank } from "@hopwise/contracts";
import { buildManifest, defaultReadingLimits } from "@hopwise/gnn-core/spec";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createLogger } from "../../dist/log.js";
import { RankGroup } from "../../dist/ranks/launcher.js";
import { RankPool } from "../../dist/ranks/rank-pool.js";
import type { RankBirth } from "../../dist/ranks/rank-process.js";
import { RendezvousTable } from "../../dist/ranks/rendezvous.js";
import { isAlive } from "../support/is-alive.ts";
import { until } from "../support/until.ts";

const log = createLogger("silent", "test");
const environment = { PATH: process.env.PATH ?? "" };
const birth: RankBirth = {
  backend: "native",
  cudaDevice: "gpu",
  tensorflowDevice: "gpu",
  components: [],
  device: null,
  environment,
  threads: 1,
  cpus: null,
  memoryBytes: null,
};
const files = mkdtempSync(join(tmpdir(), "hw-rank-pool-"));
let start: Parameters<RankGroup["start"]>[0];
let pool = new RankPool(log);

beforeAll(async () => {
  writeFileSync(join(files, "edges.csv"), "src,dst\n1,2\n2,3\n");
  const info = { files: [{ name: "edges.csv", blob: "edges.csv", bytes: 16 }] };
  const facts = { kind: "files", step: "upload", stepVersion: 1, engine: "0", inputs: {}, options: {} };
  const manifest = await buildManifest(files, { info, blobs: [{ name: "edges.csv" }] }, facts);
  start = {
    type: "start",
    step: "map",
    options: {},
    inputs: { files: { dir: files, manifest } },
    resume: null,
    outDir: files,
    scratchDir: files,
    worldSize: 1,
    samplers: 0,
    numHosts: 1,
    network: null,
    device: "cpu",
    threads: 1,
    limits: defaultReadingLimits,
    group: "test",
  };
});
afterEach(() => {
  pool.close();
  pool = new RankPool(log);
});
afterAll(() => rmSync(files, { recursive: true, force: true }));

/** Runs the preview of a tiny file in a group of one. */
async function runStage(given = birth, change: Partial<typeof start> = {}) {
  const place = { host: "h1", step: "map" };
  const ignore = () => undefined;
  const group = new RankGroup({
    members: [leadRank],
    rendezvous: new RendezvousTable(),
    pool,
    birthOf: () => given,
    place,
    memoryBytes: null,
    stallMs: 60_000,
    between: "nothing",
    stillLimitMs: null,
    log,
    onEvent: ignore,
    onIncident: ignore,
  });
  const pid = group.pids[0] ?? Number.NaN;
  group.start({ ...start, ...change });
  const outcome = await group.outcome;
  return { pid, outcome };
}

test("the next stage of the same kind is served by the process of the last one, with the same result", async () => {
  const first = await runStage();
  const second = await runStage();
  expect(second.pid).toBe(first.pid);
  expect(first.outcome.type).toBe("succeeded");
  expect(second.outcome).toEqual(first.outcome);
});

test("a stage with another number of threads has a process of its own", async () => {
  const first = await runStage();
  const second = await runStage({ ...birth, threads: 2 });
  expect(second.pid).not.toBe(first.pid);
  expect(second.outcome.type).toBe("succeeded");
});

test("options of V8 that the worker was started with come after a rank's own, and so before them in effect", async () => {
  const { outcome, pid } = await runStage({ ...birth, execArgv: ["--max-semi-space-size=8"] });
  expect(outcome.type).toBe("succeeded");
  const options = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  expect(options.filter((option) => option.includes("semi-space"))).toEqual([
    "--max-semi-space-size=2",
    "--max-semi-space-size=8",
  ]);
});

test("a process whose step failed serves nobody after it", async () => {
  const failed = await runStage(birth, { options: { unknown: true } });
  expect(failed.outcome).toMatchObject({ type: "failed", cause: { problem: { code: "SPEC_INVALID" } } });
  expect(isAlive(failed.pid)).toBe(false);
  expect((await runStage()).outcome.type).toBe("succeeded");
});

test("an idle process that was killed is not handed out", async () => {
  const first = await runStage();
  process.kill(first.pid, "SIGKILL");
  await until("its end", async () => !isAlive(first.pid));
  const second = await runStage();
  expect(second.pid).not.toBe(first.pid);
  expect(second.outcome.type).toBe("succeeded");
});

test("a pool that is closed ends its idle processes", async () => {
  const { pid } = await runStage();
  expect(isAlive(pid)).toBe(true);
  pool.close();
  await until("its end", async () => !isAlive(pid));
});
