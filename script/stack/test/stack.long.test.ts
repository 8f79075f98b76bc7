import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readLayout, type StackLayout } from "../env.ts";
import { isRunning } from "../process-id.ts";
import { runningStack } from "../stack-state.ts";

let env: Record<string, string>;
let layout: StackLayout;
let children: ChildProcess[];

beforeEach(async () => {
  const data = mkdtempSync(join(tmpdir(), "hws-"));
  const port = await freePort();
  const { PATH = "", NODE_OPTIONS = "" } = process.env;
  env = { PATH, NODE_OPTIONS, HOPWISE_DATA: data, HOPWISE_PORT: String(port) };
  layout = readLayout(env);
  children = [];
});
afterEach(async () => {
  for (const child of children) await end(child, "SIGTERM");
  // The demo starts its stack detached: a demo that was cut short leaves one.
  const stack = state();
  if (stack) process.kill(stack.supervisor.pid, "SIGTERM");
  await until("no stack is left", () => state() === null);
  rmSync(layout.data, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

function run(program: "main" | "demo", ...args: string[]): { child: ChildProcess; output: () => string } {
  const file = join(import.meta.dirname, `../${program}.ts`);
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  children.push(child);
  return { child, output: () => text };
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

async function until(what: string, look: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await look())) {
    if (Date.now() > deadline) throw new Error(`waited 60 s until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const state = () => runningStack(layout.stateFile);
const isReady = () => until("the stack is ready", () => state()?.isReady ?? false);
const answers = () =>
  fetch(`${layout.url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

test("every program starts again when it is killed; SIGTERM ends them all and frees the folder", async () => {
  const programs = ["redis", "api", "worker", "serve"];
  const { child, output } = run("main");
  await isReady();
  for (const name of programs) {
    const before = state()?.services[name]?.pid ?? -1;
    process.kill(before, "SIGKILL");
    await until(`${name} is there again`, () => (state()?.services[name]?.pid ?? before) !== before);
    await until("the API answers", answers);
  }
  const services = state()?.services ?? {};
  expect(await end(child, "SIGTERM")).toBe(0);
  expect(Object.keys(services).toSorted()).toEqual(programs.toSorted());
  expect(Object.values(services).filter(isRunning)).toEqual([]);
  expect(existsSync(layout.stateFile)).toBe(false);
  expect(output()).toContain(`Hopwise is ready: ${layout.url}`);
  expect(output()).toMatch(/Sign in: .*\/sign-in\?token=/);
});

test("what a stack writes is its owner's alone, also where an earlier release left it open; no log holds a sign-in link", async () => {
  const old = join(layout.data, "artifacts", "projects");
  mkdirSync(old, { recursive: true, mode: 0o755 });
  writeFileSync(join(old, "blob"), "x", { mode: 0o444 });
  for (const folder of [layout.data, join(layout.data, "artifacts")]) chmodSync(folder, 0o755);
  const { child, output } = run("main");
  await isReady();
  await until("the link is shown", () => output().includes("/sign-in?token="));
  expect(await end(child, "SIGTERM")).toBe(0);
  // It gives its files rights of its own choice, in a folder that is closed.
  const isOfDatabase = (path: string) => path.startsWith(join(layout.data, "pglite/"));
  expect(openToOthers(layout.data).filter((path) => !isOfDatabase(path))).toEqual([]);
  expect(readFileSync(join(old, "blob"), "utf8")).toBe("x");
  for (const log of readdirSync(layout.logs)) {
    expect(readFileSync(join(layout.logs, log), "utf8"), log).not.toMatch(/token=|hws_/);
  }
});

/** Every path in a folder, and the folder, that somebody else than its owner may use. */
function openToOthers(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return [folder, ...paths].filter((path) => !lstatSync(path).isSymbolicLink() && (lstatSync(path).mode & 0o077) !== 0);
}

test("a port that somebody takes while the API is down is told in the terminal, with what to do; freed, it goes on", async () => {
  const { output } = run("main");
  await isReady();
  process.kill(state()?.services["api"]?.pid ?? -1, "SIGKILL");
  const other = createServer();
  await until("the port is taken", async () => {
    other.listen(Number(env.HOPWISE_PORT), "127.0.0.1");
    return Promise.race([once(other, "listening").then(() => true), once(other, "error").then(() => false)]).catch(
      () => false,
    );
  });
  await until("the terminal says so", () =>
    /api ended \(exit code 1: Cannot listen on .* set HOPWISE_PORT/.test(output()),
  );
  expect(output()).toContain("(EADDRINUSE). Stop what listens there or set HOPWISE_PORT.");
  other.close();
  await until("the API answers", answers);
});

test("a second stack on the same folder is refused; after kill -9 of the first the folder is taken over", async () => {
  const first = run("main");
  await isReady();
  const orphans = Object.values(state()?.services ?? {});
  const second = run("main");
  await once(second.child, "exit");
  expect(second.child.exitCode).toBe(1);
  expect(second.output()).toContain("A stack already runs");
  await end(first.child, "SIGKILL");
  run("main");
  await isReady();
  expect(orphans.filter(isRunning)).toEqual([]);
  expect(await answers()).toBe(true);
});

test("the demo trains through the public API, leaves the embeddings and stops what it started", async () => {
  const { child, output } = run("demo", "--exit");
  await once(child, "exit");
  expect(output()).toContain("20,000 nodes, 400,000 stored edges");
  const accuracy = Number(/Test accuracy \(sage\): +([\d.]+)/.exec(output())?.[1]);
  expect(accuracy).toBeGreaterThan(0.88);
  expect(
    readFileSync(join(layout.data, "demo", "embeddings.parquet"))
      .subarray(0, 4)
      .toString(),
  ).toBe("PAR1");
  expect(child.exitCode).toBe(0);
  expect(state()).toBeNull();
  // The stack was started without a terminal of its own.
  expect(readFileSync(join(layout.logs, "supervisor.log"), "utf8")).not.toContain("token=");
  expect(output()).toMatch(/Sign in: .*\/sign-in\?token=/);
});

test("the demo says what a folder lacks and fails without starting anything", async () => {
  const { child, output } = run("demo", "--dataset", layout.data);
  await once(child, "exit");
  expect(child.exitCode).toBe(1);
  expect(output()).toContain("the demo needs edges.csv and nodes.csv");
  expect(existsSync(layout.stateFile)).toBe(false);
});

test("a port that is taken is said at once, and nothing stays behind", async () => {
  const other = createServer().listen(Number(env.HOPWISE_PORT), "127.0.0.1");
  await once(other, "listening");
  try {
    const { child, output } = run("main");
    await once(child, "exit");
    expect(child.exitCode).toBe(1);
    expect(output()).toMatch(/Cannot listen on .* \(EADDRINUSE\).* set HOPWISE_PORT/);
    expect(existsSync(layout.stateFile)).toBe(false);
  } finally {
    other.close();
  }
});

test("an unknown option is refused in one line", async () => {
  for (const program of ["main", "demo"] as const) {
    const { child, output } = run(program, "--stpo");
    await once(child, "exit");
    expect(child.exitCode).toBe(2);
    expect(output()).toMatch(/^Unknown option '--stpo'/);
    expect(output()).not.toContain("    at ");
  }
});
