import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderHolder, lockFolder } from "../src/folder-lock.ts";

/** TEST_LOCK_RACES=10000 takes some three minutes. */
const numRaces = Number(process.env["TEST_LOCK_RACES"] ?? 100);
const numRacers = 4;
const built = new URL("../dist/folder-lock.js", import.meta.url).href;

let dir = "";
let path = "";
const racers: Racer[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-lock-"));
  path = join(dir, "folder.lock");
});
afterEach(async () => {
  for (const racer of racers.splice(0)) racer.process.kill("SIGKILL");
  await rm(dir, { recursive: true, force: true });
});

/** A process of its own that takes the lock when it is told to. */
class Racer {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    const program = fileURLToPath(new URL("support/racer.mjs", import.meta.url));
    this.process = spawn(process.execPath, [program, built, path], { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.process.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  async says(): Promise<string> {
    return (await this.#lines.next()).value;
  }

  ask(what: "go" | "over"): Promise<string> {
    this.process.stdin?.write(`${what}\n`);
    return this.says();
  }
}

async function startRacers(count: number): Promise<void> {
  racers.push(...Array.from({ length: count }, () => new Racer()));
  for (const racer of racers) expect(await racer.says()).toBe("ready");
}

it("is had by exactly one of several processes that ask at once, whatever a dead one left", {
  timeout: 600_000,
}, async () => {
  await startRacers(numRacers);
  const holders: number[] = [];
  for (let race = 0; race < numRaces; race++) {
    await writeFile(path, JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), startedAt: "1" }));
    const answers = await Promise.all(racers.map((racer) => racer.ask("go")));
    holders.push(answers.filter((answer) => answer === "held").length);
    await Promise.all(racers.map((racer) => racer.ask("over")));
  }
  expect(holders).toEqual(holders.map(() => 1));
});

it("is free as soon as its holder is killed", async () => {
  await startRacers(2);
  const [first, second] = racers as [Racer, Racer];
  expect(await first.ask("go")).toBe("held");
  expect(await second.ask("go")).toBe("refused");
  const ended = once(first.process, "exit");
  first.process.kill("SIGKILL");
  await ended;
  expect(await second.ask("go")).toBe("held");
});

it("names its holder to whoever comes second, in the same process too", async () => {
  const lock = await lockFolder(path);
  await expect(lockFolder(path)).rejects.toThrow(`${dir} is in use by process ${process.pid} on ${hostname()}`);
  expect(await folderHolder(path)).toMatchObject({ pid: process.pid, host: hostname() });
  await lock.release();
  await (await lockFolder(path)).release();
});

it("says so where a program to lock with is missing, and lets nobody in", async () => {
  const { PATH } = process.env;
  process.env["PATH"] = dir;
  try {
    await expect(lockFolder(path)).rejects.toThrow("without the program flock; install util-linux");
  } finally {
    process.env["PATH"] = PATH;
  }
});
