import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const binFolder = "/usr/lib/postgresql/15/bin";

/** A throw-away PostgreSQL on a unix socket. */
export interface TestPostgres {
  readonly url: string;
  /** Where its socket is. */
  readonly folder: string;
  /** Process ids of the server and all its backends */
  readonly pids: readonly number[];
  /** SIGKILL to the server and its backends. */
  kill(): Promise<void>;
  /** As an operator stops it (`pg_ctl stop -m fast`): connections are ended, then the server. */
  shutDown(): Promise<void>;
  /** After `kill` or `shutDown`: the same data again. */
  start(): Promise<void>;
  /** Ends every connection. */
  cut(): void;
  stop(): Promise<void>;
}

/** PostgreSQL refuses root; then it runs as the user its package made. */
function account(): { uid: number; gid: number } | null | "missing" {
  if (process.getuid?.() !== 0) return null;
  const { status, stdout } = spawnSync("id", ["-u", "postgres"], { encoding: "utf8" });
  if (status !== 0) return "missing";
  return { uid: Number(stdout), gid: Number(spawnSync("id", ["-g", "postgres"], { encoding: "utf8" }).stdout) };
}

export const isPostgresInstalled = existsSync(join(binFolder, "initdb")) && account() !== "missing";

export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const user = account();
  const options = user === null || user === "missing" ? {} : user;
  const dir = await mkdtemp(join(tmpdir(), "hopwise-pg-"));
  if (user !== null && user !== "missing") chownSync(dir, user.uid, user.gid);
  const data = join(dir, "data");
  const initArgs = ["-D", data, "-U", "hopwise", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];
  const init = spawnSync(join(binFolder, "initdb"), initArgs, { ...options, cwd: dir, encoding: "utf8" });
  if (init.status !== 0) throw new Error(init.stderr);
  const serverArgs = ["-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", ...settings];
  const launch = () => startServer(serverArgs, { ...options, cwd: dir });
  let server = await launch();
  const serverPids = () => [server.pid ?? 0, ...childrenOf(server.pid ?? 0)];
  return {
    url: `postgresql://hopwise@localhost/postgres?host=${encodeURIComponent(dir)}`,
    folder: dir,
    get pids() {
      return serverPids();
    },
    kill: async () => {
      const gone = once(server, "exit");
      const pids = serverPids();
      for (const pid of pids) process.kill(pid, "SIGKILL");
      await gone;
      // A backend that is not yet quite dead holds the shared memory that the next server asks for.
      while (pids.some((pid) => existsSync(`/proc/${pid}`))) await new Promise((resolve) => setTimeout(resolve, 5));
      await rm(join(data, "postmaster.pid"), { force: true });
    },
    shutDown: async () => {
      const gone = once(server, "exit");
      server.kill("SIGINT");
      await gone;
    },
    start: async () => {
      server = await launch();
    },
    cut: () => {
      const query = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()";
      execFileSync(join(binFolder, "psql"), ["-h", dir, "-U", "hopwise", "postgres", "-c", query], { stdio: "ignore" });
    },
    stop: async () => {
      const gone = once(server, "exit");
      server.kill("SIGINT");
      await gone;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function startServer(args: readonly string[], options: SpawnOptions): Promise<ChildProcess> {
  const server = spawn(join(binFolder, "postgres"), args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (text: Buffer) => text.includes("ready to accept connections") && resolve());
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}`)));
  });
  return server;
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return list === "" ? [] : list.split(" ").map(Number);
}
