import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckResults } from "../benchmarks/gpu/results.ts";
import { runCommand } from "../benchmarks/gpu/run-step.ts";
import { deviceTable } from "../benchmarks/gpu/table.ts";
import { placementWords } from "../packages/gnn-core/src/host/feature-placement.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);

describe("the check of a GPU, packed and in the emulation", () => {
  let out = "";
  let results: CheckResults;
  let printed = "";

  // The kernels' tests have a test of their own.
  const steps = [
    "measures",
    "conformance",
    "losses",
    "steps",
    "graph",
    "epoch",
    "deviceSampling",
    "lightGcn",
    "twoRanks",
    "severalDevices",
    "kernelFault",
    "pyg",
    "largeEpoch",
    "memcheck",
    "table2",
  ];

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), "hopwise-gpu-check-"));
    out = join(dir, "results");
    // A machine that knows nothing: no variables, no packages in a folder above, its own programs alone.
    const check = (...options: string[]) =>
      run(join(root, "script/gpu-check"), options, { cwd: dir, env: { PATH: "/usr/bin:/bin" } });
    await run(join(root, "script/gpu-check"), ["pack", "check.tar", "--emulated"], { cwd: dir });
    const only = steps.flatMap((step) => ["--only", step]);
    printed = (await check("--packed", "check.tar", "--emulated", "--out", "results", "--limit", "800", ...only))
      .stdout;
    expect(await readdir(out)).toEqual(["emulation.json"]);
    results = JSON.parse(await readFile(join(out, "emulation.json"), "utf8")) as CheckResults;
  }, 900_000);
  afterAll(() => rm(dirname(out), { recursive: true }));

  const figuresOf = (name: string) => results.steps.find((step) => step.name === name)!.figures;

  test("runs every step, and says of those for GPUs alone why they are not run", () => {
    expect(results.isEmulated).toBe(true);
    expect(results.steps.map(({ name }) => name)).toEqual(steps);
    const states = Object.fromEntries(results.steps.map(({ name, state }) => [name, state]));
    expect(states).toEqual({
      ...Object.fromEntries(steps.map((name) => [name, "passed"])),
      kernelFault: "not run",
      pyg: "not run",
      memcheck: "not run",
    });
  });

  test("measures ceilings and kernels, and tells their share of them in its table", () => {
    const measures = figuresOf("measures");
    for (const name of ["copy", "randomRows", "sgemm", "spmmMean", "gatConv", "gatherDense", "adam"]) {
      expect(measures.find((measure) => measure.name === name)?.rate, name).toBeGreaterThan(0);
    }
    expect(printed).toMatch(/\| spmmMean \| [\d.e-]+ ms \| [\d.e-]+ GB\/s \| \d+ % \|/);
    expect(deviceTable(results)).toBe(printed.split("\n\nWritten to")[0]);
  });

  test("trains as the native backend does, an epoch on the graph, and with two ranks", () => {
    expect(figuresOf("losses")).toEqual([expect.objectContaining({ name: "sage", steps: 20 })]);
    expect(figuresOf("steps")).toEqual([expect.objectContaining({ steps: 20, waits: 0, leakedBytes: 0 })]);
    expect(figuresOf("epoch").map(({ epoch, sampling }) => [epoch, sampling])).toEqual([
      [1, "device"],
      [2, "device"],
      [1, "host"],
      [2, "host"],
    ]);
    expect(figuresOf("largeEpoch")).toEqual([
      expect.objectContaining({ numNodes: 2000 }),
      expect.objectContaining({ epoch: 1, sampledOnDevice: true }),
    ]);
    expect(figuresOf("deviceSampling").at(-1)).toMatchObject({ name: "epochSampling", batches: 2 });
    expect(figuresOf("lightGcn").at(-1)).toMatchObject({ pairs: 60, launchesAStep: expect.any(Number) });
    expect(figuresOf("twoRanks")).toEqual([
      expect.objectContaining({ epochs: 4, areWeightsEqual: true }),
      { areAllEqual: true, placed: placementWords.sharded },
    ]);
    expect(figuresOf("severalDevices")).toMatchObject([
      { ranks: 2, areWeightsEqual: true, reducedBy: expect.stringContaining("from device to device") },
      { areAllEqual: true, placed: placementWords.sharded },
    ]);
    expect(figuresOf("table2")).toMatchObject([
      { devices: 2 },
      { model: "sage", ranks: 1, secondsPerEpoch: expect.any(Number) },
      { model: "sage", ranks: 2, secondsPerEpoch: expect.any(Number) },
    ]);
  });
});

describe("a step of the check", () => {
  const step = (code: string) => ({ program: process.execPath, args: ["-e", code] });

  test("that fails keeps what it had told, and says how it ended", async () => {
    const code = `console.log('{"found": 1}'); console.error("no device"); process.exit(3)`;
    expect(await runCommand(step(code), 30)).toMatchObject({
      state: "failed",
      why: "It ended with 3. no device",
      figures: [{ found: 1 }],
    });
  });

  test("that hangs is stopped with all that it started", async () => {
    const code = `console.log(JSON.stringify({ child: require("child_process").spawn("sleep", ["1000"]).pid })); setInterval(() => {}, 1000)`;
    // As long as a busy machine may take to start a program
    const outcome = await runCommand(step(code), 5);
    expect(outcome).toMatchObject({ state: "timed out", why: "It was stopped after 5 s." });
    const { child } = outcome.figures[0] as { child: number };
    const isGone = await readFile(`/proc/${child}/stat`, "utf8").then(
      (stat) => stat.includes(") Z "),
      () => true,
    );
    expect(isGone).toBe(true);
  });

  test("whose program is not there is a failure with that reason", async () => {
    const outcome = await runCommand({ program: "/nowhere/device-tests-gpu", args: [] }, 30);
    expect(outcome).toMatchObject({ state: "failed", why: expect.stringContaining("ENOENT") });
  });

  test("counts the tests of the C++ program and names those that fail", async () => {
    const code = `console.log("passed GPU: a\\nFAILED GPU: b: rows differ\\n1 failed"); process.exit(1)`;
    expect(await runCommand(step(code), 30)).toMatchObject({
      state: "failed",
      figures: [{ passed: 1, failed: 1, failures: ["FAILED GPU: b: rows differ"] }],
    });
  });
});
