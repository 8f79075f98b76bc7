import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Program } from "../support/program.ts";
import { freePort } from "../support/stack.ts";
import { until } from "../support/until.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = (name: string) => readFileSync(join(root, name), "utf8");

interface Service {
  command?: string[];
  environment?: Record<string, string>;
  healthcheck: { test: string[] };
}
const { services }: { services: Record<string, Service> } = parse(file("docker-compose.yml"), { merge: true });

/** A variable with its default, which holds no other: `${PORT:-4680}`. */
const innermost = /\$\{[A-Z_]+:-([^${}]*)\}/g;

/** The command of a service: its own, or the CMD of its image's Dockerfile. */
function commandOf(name: string): [string, ...string[]] {
  const cmd = /^CMD (\[.*\])$/m.exec(services[name]?.command ? "" : file(`apps/${name}/Dockerfile`))?.[1];
  return services[name]?.command ?? JSON.parse(cmd ?? "[]");
}

/**
 * No container engine is needed: the services' own commands and health checks run as plain processes, with
 * the addresses and folders of the containers replaced by ones of this host.
 */
describe("the compose services as plain processes", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-compose-"));
  const programs: Program[] = [];
  let ports: { redis: number; api: number };

  /** Container addresses and folders → this host's. PostgreSQL is left to the database tests. */
  const here = (text: string) =>
    text
      .replaceAll("@redis:6379", `@127.0.0.1:${ports.redis}`)
      .replaceAll("/var/lib/hopwise", join(dir, "hopwise"))
      .replaceAll(innermost, "$1")
      .replaceAll(innermost, "$1")
      .replaceAll("127.0.0.1:4680", `127.0.0.1:${ports.api}`);

  function environmentOf(name: string): Record<string, string> {
    const { DATABASE_URL: _, ...given } = services[name]?.environment ?? {};
    const local = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, here(value)]));
    return name === "api" ? { ...local, HOPWISE_HOST: "127.0.0.1", HOPWISE_PORT: String(ports.api) } : local;
  }

  function start(name: string, extra: string[] = []): void {
    const [command, ...args] = commandOf(name);
    const inRoot = args.map((arg) => (arg.startsWith("apps/") ? join(root, arg) : here(arg)));
    const program = new Program([command, ...inRoot, ...extra], environmentOf(name), join(dir, `${name}.log`));
    program.start();
    programs.unshift(program);
  }

  function isHealthy(name: string, extra: string[] = []): Promise<boolean> {
    const [kind, command = "", ...args] = services[name]?.healthcheck.test ?? [];
    expect(kind).toBe("CMD");
    const env = { ...process.env, ...environmentOf(name) };
    return new Promise((resolve) => {
      execFile(command, [...extra, ...args.map(here)], { cwd: root, env }, (error) => resolve(error === null));
    });
  }

  beforeAll(async () => {
    ports = { redis: await freePort(), api: await freePort() };
  });
  afterAll(async () => {
    for (const program of programs) await program.kill("SIGTERM");
    rmSync(dir, { recursive: true, force: true });
  });

  it("turns redis healthy", async () => {
    const flags = ["--port", String(ports.redis), "--bind", "127.0.0.1", "--dir", dir];
    start("redis", flags);
    await until("redis", () => isHealthy("redis", ["-p", String(ports.redis)]));
    const ping = ["-p", String(ports.redis), "ping"];
    expect(execFileSync("redis-cli", ping, { encoding: "utf8", stdio: "pipe" })).toContain("NOAUTH");
  });

  it("turns the api healthy, which it is not before it started", async () => {
    expect(await isHealthy("api")).toBe(false);
    start("api");
    await until("the api", () => isHealthy("api"));
  });

  it("turns the worker healthy, which it is not before it started", async () => {
    expect(await isHealthy("gpu-worker")).toBe(false);
    start("gpu-worker");
    await until("the worker", () => isHealthy("gpu-worker"));
  });
});
