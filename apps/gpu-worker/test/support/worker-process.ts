import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { redisKeys, type WorkerAnnouncement, workerAnnouncement } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { until } from "./until.ts";

const entry = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const components = fileURLToPath(new URL("./components", import.meta.url));

/** The worker program as operators run it. */
export class WorkerProcess {
  readonly #process: ChildProcess;
  readonly #redis: Redis;
  readonly id: string;
  #output = "";

  constructor(redis: Redis, redisUrl: string, data: string, id: string, env: Record<string, string> = {}) {
    this.#redis = redis;
    this.id = id;
    this.#process = spawn(process.execPath, [entry], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOPWISE_DATA: data,
        REDIS_URL: redisUrl,
        HOPWISE_WORKER_ID: id,
        HOPWISE_COMPONENTS: components,
        HOPWISE_BACKEND: "cpu",
        HOPWISE_LOG_LEVEL: "debug",
        ...env,
      },
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text;
      });
    }
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  /** Everything it has printed. */
  get output(): string {
    return this.#output;
  }

  /** Its exit code, when it has ended. */
  get exitCode(): number | null {
    return this.#process.exitCode;
  }

  announcement(): Promise<WorkerAnnouncement> {
    return until("the worker's announcement", async () => {
      const text = await this.#redis.get(redisKeys.worker(this.id));
      const announced = text === null ? null : workerAnnouncement.parse(JSON.parse(text));
      return announced?.pid === this.pid ? announced : null;
    });
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill(signal);
    await ended;
  }
}
