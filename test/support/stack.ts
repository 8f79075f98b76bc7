import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type FreshDatabase, freshDatabase } from "../../apps/api/test/support/fresh-database.ts";
import { Client } from "./client.ts";
import { Program } from "./program.ts";
import { until } from "./until.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The whole service as separate real processes on a fresh folder: Redis, the API with its database, one worker. */
export class Stack {
  readonly dir = mkdtempSync(join(tmpdir(), "hw-"));
  readonly redisSocket = join(this.dir, "redis.sock");
  readonly redis: Program;
  readonly api: Program;
  readonly worker: Program;
  readonly url: string;
  #database: FreshDatabase | null = null;
  readonly #settings: Record<string, string>;
  readonly #furtherWorkers: Program[] = [];

  private constructor(port: number, env: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    const settings = {
      HOPWISE_DATA: this.dir,
      HOPWISE_PORT: String(port),
      HOPWISE_WORKER_ID: "test-worker",
      REDIS_URL: `unix://${this.redisSocket}`,
      ...env,
    };
    this.#settings = settings;
    const redisFlags = ["--port", "0", "--unixsocket", this.redisSocket, "--dir", this.dir, "--appendonly", "yes"];
    this.redis = new Program(["redis-server", ...redisFlags, "--save", ""], {}, this.log("redis"));
    this.api = new Program(["node", join(root, "apps/api/dist/server.js")], settings, this.log("api"));
    const forWorker = { ...settings, ...(isBucket(env) && { ARTIFACTS_URL: this.url }) };
    this.worker = new Program(["node", join(root, "apps/gpu-worker/dist/main.js")], forWorker, this.log("worker"));
  }

  /**
   * On a database of its own of PostgreSQL where that is installed: PGlite costs twice the CPU time, and other tests
   * are on it.
   */
  static async startOnServer(env: Record<string, string> = {}): Promise<Stack> {
    const database = await freshDatabase();
    try {
      const stack = await Stack.start({ ...env, ...(database ? { DATABASE_URL: database.url } : {}) });
      stack.#database = database;
      return stack;
    } catch (error) {
      await database?.drop();
      throw error;
    }
  }

  /** Starts everything, on PGlite unless `DATABASE_URL` is given, and waits until a worker can take jobs. */
  static async start(env: Record<string, string> = {}): Promise<Stack> {
    const stack = new Stack(await freePort(), env);
    mkdirSync(stack.dir, { recursive: true });
    for (const program of [stack.redis, stack.api, stack.worker]) program.start();
    await stack.ready();
    return stack;
  }

  /** The address of Redis for one worker, with a credential of its own, made for it now. */
  async credentialFor(id: string): Promise<string> {
    const { createWorkerCredential: made } = await this.client.graphql<{
      createWorkerCredential: { password: string; credential: { user: string } };
    }>("mutation($id: ID!) { createWorkerCredential(workerId: $id) { password credential { user } } }", { id });
    return `unix://${made.credential.user}:${made.password}@localhost${this.redisSocket}`;
  }

  /**
   * Starts a worker as on another host: with a folder, and so a cache, of its own, if need be in a network of its own.
   * With the API's address as `ARTIFACTS_URL` it shares no folder with anybody.
   */
  async addWorker(id: string, env: Record<string, string>, namespace?: string): Promise<Program> {
    const settings = {
      ...this.#settings,
      ARTIFACTS_URL: pathToFileURL(join(this.dir, "artifacts")).href,
      HOPWISE_DATA: join(this.dir, id),
      HOPWISE_WORKER_ID: id,
      ...env,
    };
    const command = ["node", join(root, "apps/gpu-worker/dist/main.js")] as const;
    const place = namespace ? (["ip", "netns", "exec", namespace, ...command] as const) : command;
    const worker = new Program(place, settings, this.log(id));
    this.#furtherWorkers.push(worker);
    worker.start();
    await until(id, async () => {
      if (worker.hasEnded) throw new Error(`${id} has ended:\n${readFileSync(this.log(id), "utf8")}`);
      return (await this.client.workers()).some((w) => w.id === id && w.state === "ONLINE");
    });
    return worker;
  }

  /** Starts the serving process, which few tests need. */
  async startServing(): Promise<void> {
    const command = ["node", join(root, "apps/gpu-worker/dist/serve-main.js")] as const;
    const serving = new Program(command, this.#settings, this.log("serve"));
    this.#furtherWorkers.push(serving);
    serving.start();
    const socket = join(this.dir, "serve", "serve.sock");
    await until("the serving process", async () => existsSync(socket));
  }

  /** A client with the key that the first start left for local tools. */
  get client(): Client {
    return new Client(this.url, readFileSync(join(this.dir, "secrets/admin-api-key"), "utf8").trim());
  }

  async ready(): Promise<void> {
    await until("the API", async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.ok);
    await until("a worker", async () => {
      if (this.worker.hasEnded) throw new Error(`The worker has ended:\n${this.logOf("worker")}`);
      return (await this.client.workers()).some((worker) => worker.state === "ONLINE");
    });
  }

  async stop(): Promise<void> {
    for (const worker of [...this.#furtherWorkers, this.worker]) await worker.kill("SIGTERM");
    await this.api.kill("SIGTERM");
    await this.redis.kill();
    await this.#database?.drop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** What a program printed, for the message of a failed test. */
  logOf(program: "redis" | "api" | "worker"): string {
    return readFileSync(this.log(program), "utf8");
  }

  private log(program: string): string {
    return join(this.dir, `${program}.log`);
  }
}

export /** Whose blobs a worker asks the API for */
function isBucket({ ARTIFACTS_URL = "" }: Record<string, string>): boolean {
  return ARTIFACTS_URL.startsWith("s3:");
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
