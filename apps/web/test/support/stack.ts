import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freshDatabase } from "../../../api/test/support/fresh-database.ts";

const root = resolve(import.meta.dirname, "../../../..");
const startMs = 120_000;

export interface RunningStack {
  readonly url: string;
  /** The one-time link of the first start. */
  readonly signInLink: string;
  /** Process of a service of the stack, e.g. `api`. */
  pidOf(service: string): Promise<number>;
  stop(): Promise<void>;
}

/**
 * The whole embedded stack in a folder and on a port of its own, as `script/start` runs it after its set-up, with
 * further settings.
 */
export async function startStack(further: Record<string, string> = {}): Promise<RunningStack> {
  for (const built of ["apps/web/dist/index.html", "apps/api/dist/server.js", "apps/gpu-worker/dist/main.js"]) {
    if (!existsSync(join(root, built))) throw new Error(`${built} is missing; run npm run build first.`);
  }
  const data = await mkdtemp(join(tmpdir(), "hopwise-web-"));
  // Two slots on any machine: a second job of two ranks waits.
  const settings = { HOPWISE_DATA: data, HOPWISE_PORT: String(await freePort()), HOPWISE_WORKER_SLOTS: "2" };
  const env = { ...process.env, ...settings, ...further, NODE_ENV: "production" };
  const child = spawn(process.execPath, ["--import", "tsx", "script/stack/main.ts"], { cwd: root, env });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  let output = "";
  const ready = new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const link = /Sign in: +(\S+)/.exec(output)?.[1];
      if (link) found(link);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => failed(new Error(`The stack ended before it was ready:\n${output}`)));
    setTimeout(() => failed(new Error(`The stack was not ready in ${startMs / 1000} s:\n${output}`)), startMs).unref();
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const signInLink = await ready;
    const pidOf = async (service: string) => {
      const state = JSON.parse(await readFile(join(data, "stack.json"), "utf8")) as {
        services: Record<string, { pid: number }>;
      };
      const found = state.services[service];
      if (!found) throw new Error(`The stack runs no service "${service}".`);
      return found.pid;
    };
    return { url: new URL(signInLink).origin, signInLink, pidOf, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** On a database of its own of PostgreSQL where that is installed: PGlite costs twice the CPU time. */
export async function startStackOnServer(further: Record<string, string> = {}): Promise<RunningStack> {
  const database = await freshDatabase();
  try {
    const stack = await startStack({ ...further, ...(database && { DATABASE_URL: database.url }) });
    const stop = async () => {
      await stack.stop();
      await database?.drop();
    };
    return { ...stack, stop };
  } catch (error) {
    await database?.drop();
    throw error;
  }
}

function freePort(): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => found(port));
    });
  });
}
