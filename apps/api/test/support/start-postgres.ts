import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const binFolder = "/usr/lib/postgresql/15/bin";

/** A throw-away PostgreSQL on a unix socket. */
export interface TestPostgres {
  readonly url: string;
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

export async function startPostgres(): Promise<TestPostgres> {
  const user = account();
  const options = user === null || user === "missing" ? {} : user;
  const dir = await mkdtemp(join(tmpdir(), "hopwise-pg-"));
  if (user !== null && user !== "missing") chownSync(dir, user.uid, user.gid);
  const data = join(dir, "data");
  const initArgs = ["-D", data, "-U", "hopwise", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"];
  const init = spawnSync(join(binFolder, "initdb"), initArgs, { ...options, cwd: dir, encoding: "utf8" });
  if (init.status !== 0) throw new Error(init.stderr);
  const server = spawn(
    join(binFolder, "postgres"),
    ["-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off"],
    { ...options, cwd: dir, stdio: ["ignore", "ignore", "pipe"] },
  );
  const hasEnded = new Promise((resolve) => server.once("exit", resolve));
  await new Promise<void>((resolve, reject) => {
    server.stderr.on("data", (text: Buffer) => text.includes("ready to accept connections") && resolve());
    server.once("exit", (code) => reject(new Error(`postgres ended with ${code}`)));
  });
  const stop = async () => {
    server.kill("SIGINT");
    await hasEnded;
    await rm(dir, { recursive: true, force: true });
  };
  return { url: `postgresql://hopwise@localhost/postgres?host=${encodeURIComponent(dir)}`, stop };
}
