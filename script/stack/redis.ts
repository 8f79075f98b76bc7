import { accessSync, constants, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, dirname, join } from "node:path";

/** The Redis program on PATH. @throws Error naming what to install */
export function findRedis(path: string): string {
  const candidates = ["redis-server", "valkey-server"].flatMap((name) =>
    path.split(delimiter).map((folder) => join(folder, name)),
  );
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new Error(
    "No redis-server on PATH. Run: apt-get install redis-server; or set REDIS_URL; or use docker compose.",
  );
}

/** A private server: reachable through its socket only, everything appended to its file within a second. */
export function redisArguments(dir: string, socket: string): string[] {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  return [
    ["--port", "0"],
    ["--unixsocket", socket],
    ["--unixsocketperm", "600"],
    ["--dir", dir],
    ["--appendonly", "yes"],
    ["--appendfsync", "everysec"],
    ["--save", ""],
    ["--maxmemory-policy", "noeviction"],
    // Far more than anything that Hopwise writes at once (docs/SECURITY.md)
    ["--proto-max-bulk-len", "16mb"],
    ["--client-query-buffer-limit", "64mb"],
    ["--daemonize", "no"],
  ].flat();
}

/** Whether a Redis that has loaded its data answers at the socket. */
export function answersPing(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const finish = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(1000, () => finish(false));
    connection.once("error", () => finish(false));
    connection.once("data", (reply) => finish(reply.toString().startsWith("+PONG")));
    connection.write("PING\r\n");
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
