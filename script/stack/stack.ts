import { join, resolve } from "node:path";
import { keepPrivate } from "@hopwise/artifacts";
import { prepareDataFolder } from "./data-folder.ts";
import type { StackLayout } from "./env.ts";
import { localClient } from "./local-client.ts";
import { requireFreePort } from "./port.ts";
import { answersPing, findRedis, redisArguments } from "./redis.ts";
import { Service } from "./service.ts";
import { StackLock } from "./stack-state.ts";

const root = resolve(import.meta.dirname, "../..");
const readyTimeoutMs = 90_000;
/** A program that dies so often before the stack is ready will not come up by itself. */
const maxEarlyDeaths = 5;

/** The embedded stack: private Redis, API, one worker, the serving process; each starts again when it dies. */
export class Stack {
  readonly #layout: StackLayout;
  readonly #lock: StackLock;
  readonly #say: (line: string) => void;
  readonly #services: Service[] = [];

  private constructor(layout: StackLayout, lock: StackLock, say: (line: string) => void) {
    this.#layout = layout;
    this.#lock = lock;
    this.#say = say;
  }

  /**
   * Starts everything and resolves when the API is ready and a worker has announced itself.
   *
   * @throws Error when the folder has a stack already, or a program does not come up (with the end of its log)
   */
  static async start(layout: StackLayout, say: (line: string) => void, signal: AbortSignal): Promise<Stack> {
    const stack = new Stack(layout, await StackLock.take(layout.stateFile), say);
    try {
      // As its holder: what a killed supervisor left behind no longer writes there.
      await prepareDataFolder(layout.data);
      await keepPrivate(layout.logs);
      await requireFreePort(layout.url);
      await stack.#startAll(signal);
      stack.#lock.noteReady();
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Stops the worker first, so that its last events find API and Redis. */
  async stop(): Promise<void> {
    for (const service of this.#services.toReversed()) await service.stop();
    await this.#lock.release();
  }

  async #startAll(signal: AbortSignal): Promise<void> {
    const { redisSocket, redisDir, environment, workerEnvironment } = this.#layout;
    if (redisSocket !== null) {
      this.#launch("redis", findRedis(environment.PATH ?? ""), redisArguments(redisDir, redisSocket), 5000);
      await this.#until("Redis answers", () => answersPing(redisSocket), signal);
    }
    this.#launch("api", process.execPath, [join(root, "apps/api/dist/server.js")], 10_000);
    this.#launch("worker", process.execPath, [join(root, "apps/gpu-worker/dist/main.js")], 20_000, workerEnvironment);
    this.#launch("serve", process.execPath, [join(root, "apps/gpu-worker/dist/serve-main.js")], 10_000);
    await this.#until("the API is ready", () => this.#isApiReady(), signal);
    await this.#until("a worker is there", () => this.#hasWorker(), signal);
  }

  #launch(
    name: string,
    command: string,
    args: readonly string[],
    graceMs: number,
    env: NodeJS.ProcessEnv = this.#layout.environment,
  ): void {
    const service = new Service({
      name,
      command,
      args,
      graceMs,
      env,
      logFile: join(this.#layout.logs, `${name}.log`),
      onSpawn: (pid) => this.#lock.noteService(name, pid),
      onDeath: (how, lastWords) =>
        this.#say(`${name} ended (${[how, lastWords].filter(Boolean).join(": ")}); starting it again`),
    });
    this.#services.push(service);
    service.start();
  }

  async #isApiReady(): Promise<boolean> {
    return (await fetch(`${this.#layout.url}/readyz`)).ok;
  }

  async #hasWorker(): Promise<boolean> {
    const { items: workers } = await (await localClient(this.#layout)).call("GET /v1/workers");
    return workers.some(({ state }) => state === "ONLINE");
  }

  async #until(what: string, look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + readyTimeoutMs;
    while (!(await look().catch(() => false))) {
      signal.throwIfAborted();
      const dying = this.#services.find((service) => service.deaths >= maxEarlyDeaths);
      if (dying) throw new Error(`${dying.name} does not start. The end of its log:\n${dying.logTail(20)}`);
      if (Date.now() > deadline) {
        throw new Error(`Waited ${readyTimeoutMs / 1000} s until ${what}; see the logs in ${this.#layout.logs}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
