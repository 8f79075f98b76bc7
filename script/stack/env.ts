import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Where one embedded stack keeps its files and answers. */
export interface StackLayout {
  readonly data: string;
  readonly logs: string;
  readonly secrets: string;
  /** The running stack's own notes: who it is and which processes are its. */
  readonly stateFile: string;
  readonly redisDir: string;
  /** null when REDIS_URL names a server of its own. */
  readonly redisSocket: string | null;
  readonly url: string;
  /** For the programs of the stack. */
  readonly environment: NodeJS.ProcessEnv;
  /** For its worker */
  readonly workerEnvironment: NodeJS.ProcessEnv;
}

/** The kernel's limit for the path of a unix socket, without the closing zero. */
const maxSocketPath = 107;

/** Reads HOPWISE_DATA, HOPWISE_HOST, HOPWISE_PORT and REDIS_URL; the only reader of `process.env` here. */
export function readLayout(source: NodeJS.ProcessEnv = process.env): StackLayout {
  const data = resolve(source.HOPWISE_DATA || ".hopwise");
  const host = source.HOPWISE_HOST || "127.0.0.1";
  const port = Number(source.HOPWISE_PORT || 4680);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error("HOPWISE_PORT: expected a port, 1 to 65535.");
  const redisDir = join(data, "redis");
  const redisSocket = source.REDIS_URL ? null : socketPath(redisDir, "redis.sock");
  const url = `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`;
  const environment = {
    NODE_ENV: "production",
    ...source,
    HOPWISE_DATA: data,
    HOPWISE_HOST: host,
    HOPWISE_PORT: String(port),
    // What the API prints goes into its log; the supervisor shows a link in the terminal.
    HOPWISE_SIGN_IN_LINK: "file",
    HOPWISE_SERVE_SOCKET: source.HOPWISE_SERVE_SOCKET || socketPath(join(data, "serve"), "serve.sock"),
    REDIS_URL: source.REDIS_URL || `unix://${redisSocket}`,
  };
  return {
    data,
    logs: join(data, "logs"),
    secrets: join(data, "secrets"),
    stateFile: join(data, "stack.json"),
    redisDir,
    redisSocket,
    url,
    environment,
    workerEnvironment: forWorker(environment, url),
  };
}

/** A worker reads a bucket through the API, by a grant for each task, and is given no key to all of it. */
function forWorker(environment: NodeJS.ProcessEnv, url: string): NodeJS.ProcessEnv {
  if (!environment.ARTIFACTS_URL?.startsWith("s3:")) return environment;
  const withoutKeys = Object.entries(environment).filter(([name]) => !name.startsWith("AWS_"));
  return { ...Object.fromEntries(withoutKeys), ARTIFACTS_URL: url };
}

/** Beside the data, or in the temporary folder when that path is too long for a socket. */
function socketPath(folder: string, name: string): string {
  const beside = join(folder, name);
  if (Buffer.byteLength(beside) <= maxSocketPath) return beside;
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  return join(tmpdir(), `hopwise-${hash}`, name);
}
