import { randomUUID } from "node:crypto";
import { Prisma, type PrismaClient } from "../generated/prisma/client.ts";

/** How long a process that says nothing keeps a row: after a kill another one goes on then. */
const holdMs = 15_000;

/** Thrown where a row is somebody else's now, or has been cancelled; nothing more of it is written. */
export class HoldLost extends Error {
  override readonly name = "HoldLost";
}

/** The row, as long as it is one process's to work on. */
export interface Held {
  readonly id: string;
  readonly holder: string;
  readonly state: "RUNNING";
}

/** A table of things that are done in the background, with `state`, `holder`, `heldUntil`, `startedAt`, `createdAt`. */
export interface HeldTable<Change> {
  readonly name: "Import" | "WriteBack";
  /** What a row is called in what is said of it. */
  readonly noun: string;
  /** What holds of rows that can be begun. */
  readonly ready: Prisma.Sql;
  readonly updateMany: (args: { where: Held; data: Change }) => PromiseLike<{ readonly count: number }>;
}

/** Which process works on which row: taken and renewed by the database's clock, one row at a time. */
export class RowHolds<Change> {
  readonly holder = `api-${randomUUID()}`;
  protected readonly prisma: PrismaClient;
  /** The database has one client process (PGlite): whoever held a row before is dead. */
  protected readonly isSoleClient: boolean;
  readonly #table: HeldTable<Change>;
  readonly #name: Prisma.Sql;

  constructor(prisma: PrismaClient, isSoleClient: boolean, table: HeldTable<Change>) {
    this.prisma = prisma;
    this.isSoleClient = isSoleClient;
    this.#table = table;
    this.#name = Prisma.raw(`"${table.name}"`);
  }

  get noun(): string {
    return this.#table.noun;
  }

  /**
   * Takes the oldest row that nobody holds.
   *
   * @param own  those that this process is at
   * @returns its id; null: there is none
   */
  async take(own: readonly string[]): Promise<string | null> {
    const rows = await this.prisma.$queryRaw<{ id: string }[]>`
      UPDATE ${this.#name} SET "state" = 'RUNNING', "holder" = ${this.holder},
        "startedAt" = coalesce("startedAt", clock_timestamp()),
        "heldUntil" = clock_timestamp() + ${holdMs}::int * interval '1 millisecond'
      WHERE "id" = (
        SELECT "id" FROM ${this.#name} WHERE "state" IN ('WAITING', 'RUNNING') AND NOT "id" = ANY(${own}::text[])
          AND ("heldUntil" IS NULL OR "heldUntil" < clock_timestamp() OR ${this.isSoleClient}::boolean)
          AND ${this.#table.ready}
        ORDER BY "createdAt", "id" LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING "id"`;
    return rows[0]?.id ?? null;
  }

  /** @throws HoldLost */
  async renew(id: string): Promise<void> {
    const renewed = await this.prisma.$executeRaw`
      UPDATE ${this.#name} SET "heldUntil" = clock_timestamp() + ${holdMs}::int * interval '1 millisecond'
      WHERE "id" = ${id} AND "holder" = ${this.holder} AND "state" = 'RUNNING'`;
    if (renewed !== 1) throw this.lost(id);
  }

  /** Changes a row that this process holds. @throws HoldLost */
  async change(id: string, data: Change): Promise<void> {
    const { count } = await this.#table.updateMany({ where: this.held(id), data });
    if (count !== 1) throw this.lost(id);
  }

  /** Lets another process have it at once, if it is not at its end. */
  async release(id: string): Promise<void> {
    await this.prisma.$executeRaw`
      UPDATE ${this.#name} SET "holder" = NULL, "heldUntil" = NULL WHERE "id" = ${id} AND "holder" = ${this.holder}`;
  }

  /** The row, as long as it is this process's. */
  held(id: string): Held {
    return { id, holder: this.holder, state: "RUNNING" };
  }

  lost(id: string): HoldLost {
    return new HoldLost(`The ${this.noun} ${id} is not this process's any more.`);
  }
}
