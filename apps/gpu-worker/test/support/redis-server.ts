import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** A private Redis with AOF on a unix socket; a restart finds its data again. */
export class RedisServer {
  readonly dir = mkdtempSync(join(tmpdir(), "hwr-"));
  readonly socket = join(this.dir, "redis.sock");
  readonly url = `unix://${this.socket}`;
  #process: ChildProcess | null = null;
  #client: Redis | null = null;

  static async start(): Promise<RedisServer> {
    const server = new RedisServer();
    await server.start();
    return server;
  }

  /** A client that waits out restarts. */
  get client(): Redis {
    this.#client ??= new Redis({ path: this.socket, maxRetriesPerRequest: null, retryStrategy: () => 50 });
    return this.#client;
  }

  async start(): Promise<void> {
    const flags = ["--port", "0", "--unixsocket", this.socket, "--dir", this.dir, "--appendonly", "yes", "--save", ""];
    this.#process = spawn("redis-server", flags, { stdio: "ignore" });
    this.client.on("error", () => undefined); // refused until it listens
    await this.client.ping();
  }

  async kill(): Promise<void> {
    const ended = this.#process && once(this.#process, "exit");
    this.#process?.kill("SIGKILL");
    await ended;
    this.#process = null;
  }

  async stop(): Promise<void> {
    this.#client?.disconnect();
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
