import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** A real redis-server of its own on a unix socket, with the settings of the embedded stack. */
export class PrivateRedis {
  readonly url: string;
  readonly socket: string;
  readonly #dir: string;
  #process: ChildProcess | null = null;

  private constructor(dir: string) {
    this.#dir = dir;
    this.socket = join(dir, "redis.sock");
    this.url = `unix://${this.socket}`;
  }

  static async start(): Promise<PrivateRedis> {
    const redis = new PrivateRedis(await mkdtemp(join(tmpdir(), "hopwise-redis-")));
    await redis.spawn();
    return redis;
  }

  async spawn(): Promise<void> {
    const settings = ["--port", "0", "--unixsocket", this.socket, "--dir", this.#dir, "--save", ""];
    const durable = ["--appendonly", "yes", "--appendfsync", "everysec"];
    const bounds = ["--proto-max-bulk-len", "16mb", "--client-query-buffer-limit", "64mb"];
    this.#process = spawn("redis-server", [...settings, ...durable, ...bounds], { stdio: "ignore" });
    const client = this.client();
    await client.ping(); // waits for the server
    client.disconnect();
  }

  /** Has it listen at a port of this host too, until it is spawned anew. @returns the URL there, without a password */
  async listen(): Promise<string> {
    const port = await freePort();
    const client = this.client();
    await client.config("SET", "bind", "127.0.0.1");
    await client.config("SET", "port", port);
    client.disconnect();
    return `redis://127.0.0.1:${port}`;
  }

  client(): Redis {
    const redis = new Redis({ path: this.socket, maxRetriesPerRequest: null, retryStrategy: () => 20 });
    redis.on("error", () => {});
    return redis;
  }

  async kill(): Promise<void> {
    const dying = this.#process;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    const exit = once(dying, "exit");
    dying.kill("SIGKILL");
    await exit;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
