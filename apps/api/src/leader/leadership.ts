import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";

export interface LeadershipOptions {
  readonly prisma: PrismaClient;
  /** Unique per process start. */
  readonly holder: string;
  readonly ttlMs?: number;
  /**
   * The database has one client process (PGlite): whoever held the lease before is dead, so there is nothing to wait
   * for.
   */
  readonly isSoleClient?: boolean;
}

/** Thrown inside a transaction of a process that is no longer the leader; nothing of it is written. */
export class LeadershipLost extends Error {
  override readonly name = "LeadershipLost";
}

const role = "scheduler";

/**
 * Election by one database row: taken by compare-and-set when its time has run out, by the database's clock.
 * `token` grows with every change of holder, and `assert` inside a transaction makes a deposed leader's writes fail.
 */
export class Leadership {
  readonly #options: Required<LeadershipOptions>;
  #token: bigint | null = null;

  constructor(options: LeadershipOptions) {
    this.#options = { ttlMs: 5000, isSoleClient: false, ...options };
  }

  get isLeader(): boolean {
    return this.#token !== null;
  }

  /** Takes or renews the lease. @returns whether this process leads now */
  async campaign(): Promise<boolean> {
    this.#token = this.#token === null ? await this.#take() : await this.#renew(this.#token);
    return this.isLeader;
  }

  async #take(): Promise<bigint | null> {
    const { prisma, holder, ttlMs, isSoleClient } = this.#options;
    const rows = await prisma.$queryRaw<{ token: bigint }[]>`
      INSERT INTO "LeaderLease" ("name", "holder", "token", "expiresAt")
      VALUES (${role}, ${holder}, 1, clock_timestamp() + ${ttlMs}::int * interval '1 millisecond')
      ON CONFLICT ("name") DO UPDATE
      SET "holder" = EXCLUDED."holder", "token" = "LeaderLease"."token" + 1, "expiresAt" = EXCLUDED."expiresAt"
      WHERE "LeaderLease"."expiresAt" < clock_timestamp() OR ${isSoleClient}::boolean
      RETURNING "token"`;
    return rows[0]?.token ?? null;
  }

  async #renew(token: bigint): Promise<bigint | null> {
    const { prisma, ttlMs } = this.#options;
    const renewed = await prisma.$executeRaw`
      UPDATE "LeaderLease" SET "expiresAt" = clock_timestamp() + ${ttlMs}::int * interval '1 millisecond'
      WHERE "name" = ${role} AND "token" = ${token}`;
    return renewed === 1 ? token : null;
  }

  /** @throws LeadershipLost when another process has been elected meanwhile */
  async assert(tx: Prisma.TransactionClient): Promise<void> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM "LeaderLease" WHERE "name" = ${role} AND "token" = ${this.#token ?? -1n} FOR SHARE`;
    if (rows.length === 1) return;
    this.#token = null;
    throw new LeadershipLost("Another API process leads now; this one's transaction is undone.");
  }

  /** Lets the next process lead at once. */
  async resign(): Promise<void> {
    const token = this.#token;
    this.#token = null;
    if (token === null) return;
    const { prisma } = this.#options;
    await prisma.$executeRaw`
      UPDATE "LeaderLease" SET "expiresAt" = clock_timestamp() WHERE "name" = ${role} AND "token" = ${token}`;
  }
}
