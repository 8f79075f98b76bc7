import { AppError, workerOfUser, workerUserName, workerUserRules } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import type { PrismaClient } from "../generated/prisma/client.ts";
import type { Logger } from "../logger.ts";

export interface WorkerUsersOptions {
  readonly prisma: PrismaClient;
  readonly redis: Redis;
  readonly log: Logger;
}

/** What docker-compose.yml falls back to, for a Redis that nobody else reaches. */
const composePassword = "hopwise-local-only";
/** A write that failed is tried again so often. */
const retryMs = 5000;

/**
 * The users of Redis that workers with a credential have, one each: what each may do is `workerUserRules`. Redis
 * forgets them with a restart; they are written again from the database.
 */
export class WorkerUsers {
  readonly #options: WorkerUsersOptions;
  #isDue = true;
  #notBefore = 0;

  constructor(options: WorkerUsersOptions) {
    this.#options = options;
    options.redis.on("ready", () => {
      this.#isDue = true;
      this.#notBefore = 0;
    });
  }

  /**
   * Lets a worker in by the password with this hash alone: who came with an earlier one is put out.
   *
   * @param passwordHash SHA-256, in hex
   * @throws AppError REDIS_REFUSED, UPSTREAM_UNAVAILABLE
   */
  async admit(workerId: string, passwordHash: string): Promise<void> {
    const { redis } = this.#options;
    await asked("ACL SETUSER", () => setUser(redis, workerId, passwordHash));
    await asked("CLIENT KILL", () => redis.client("KILL", "USER", workerUserName(workerId)));
  }

  /**
   * Puts a worker out at once: Redis closes the connections of a user that is gone.
   *
   * @throws AppError REDIS_REFUSED, UPSTREAM_UNAVAILABLE
   */
  async expel(workerId: string): Promise<void> {
    await asked("ACL DELUSER", () => this.#options.redis.acl("DELUSER", workerUserName(workerId)));
  }

  /** Whether Redis is reached by a socket of this host, as other hosts do not reach it. */
  get isOnThisHostAlone(): boolean {
    return this.#options.redis.options.path !== undefined;
  }

  /** Where this service reaches Redis: a name or a numeric address; "localhost" as the address that it stands for. */
  get address(): string {
    const { host = "" } = this.#options.redis.options;
    return host === "localhost" ? "127.0.0.1" : host;
  }

  /** Whether this service's own password for Redis is the one that docker-compose.yml sets when none is chosen. */
  get hasKnownPassword(): boolean {
    return this.#options.redis.options.password === composePassword;
  }

  /**
   * Whether Redis lets in who gives no name and no password, as it is set up at first: then users keep nobody apart.
   */
  async isOpenToAll(): Promise<boolean> {
    const users = await asked("ACL LIST", () => this.#options.redis.acl("LIST"));
    return users.some((user) => user.startsWith("user default on") && user.split(" ").includes("nopass"));
  }

  /** Writes all of them when Redis is new to this process, or was restarted. Never throws: jobs go on without. */
  async writeIfDue(): Promise<void> {
    if (!this.#isDue || performance.now() < this.#notBefore) return;
    this.#isDue = false;
    try {
      await this.#writeAll();
    } catch (err) {
      this.#isDue = true;
      this.#notBefore = performance.now() + retryMs;
      this.#options.log.error(
        { err },
        "the workers' users cannot be written to Redis: workers with a credential are refused",
      );
    }
  }

  async #writeAll(): Promise<void> {
    const { prisma } = this.#options;
    const read = () => prisma.workerCredential.findMany({ orderBy: { workerId: "asc" } });
    let rows = await read();
    for (;;) {
      await this.#write(rows);
      // A credential that is made or revoked meanwhile is in the database before it is in Redis: not to be undone by
      // this.
      const now = await read();
      if (JSON.stringify(now) === JSON.stringify(rows)) return;
      rows = now;
    }
  }

  async #write(rows: readonly { workerId: string; passwordHash: string }[]): Promise<void> {
    const { redis, log } = this.#options;
    for (const { workerId, passwordHash } of rows) {
      await asked("ACL SETUSER", () => setUser(redis, workerId, passwordHash));
    }
    const known = new Set(rows.map(({ workerId }) => workerId));
    const users = await asked("ACL USERS", () => redis.acl("USERS")).catch((error: unknown) => {
      if (known.size > 0) throw error;
      log.debug({ err: error }, "whether Redis has users of workers cannot be seen");
      return [];
    });
    const former = users.flatMap((user) => workerOfUser(user) ?? []).filter((id) => !known.has(id));
    for (const workerId of former) await this.expel(workerId);
  }
}

function setUser(redis: Redis, workerId: string, passwordHash: string): Promise<unknown> {
  return redis.acl(
    "SETUSER",
    workerUserName(workerId),
    "reset",
    "on",
    `#${passwordHash}`,
    ...workerUserRules(workerId),
  );
}

/** What Redis answers, its refusal as an error that says what to do. */
async function asked<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    if (/^(NOPERM|ERR)\b/.test(said)) {
      throw new AppError(
        "REDIS_REFUSED",
        `Redis answered ${what} with "${said}". Users of workers need Redis 7 or newer, and in the API's REDIS_URL a user that may use ACL and CLIENT KILL.`,
        { cause },
      );
    }
    throw new AppError("UPSTREAM_UNAVAILABLE", "Redis does not answer, so nothing was changed; try again.", { cause });
  }
}
