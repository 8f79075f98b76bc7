import { randomUUID } from "node:crypto";
import type { Import, Prisma, PrismaClient } from "../generated/prisma/client.ts";

/** How long a process that says nothing keeps an import: after a kill another one goes on then. */
const holdMs = 15_000;

/** Thrown where an import is somebody else's now, or has been cancelled; nothing more of it is written. */
export class HoldLost extends Error {
  override readonly name = "HoldLost";
}

/** Which process fetches which import: taken and renewed by the database's clock, one row at a time. */
export class ImportHolds {
  readonly holder = `api-${randomUUID()}`;
  readonly #prisma: PrismaClient;
  /** The database has one client process (PGlite): whoever held an import before is dead. */
  readonly #isSoleClient: boolean;

  constructor(prisma: PrismaClient, isSoleClient: boolean) {
    this.#prisma = prisma;
    this.#isSoleClient = isSoleClient;
  }

  /**
   * Takes the oldest import that nobody holds.
   *
   * @param own  those that this process is at
   * @returns its id; null: there is none
   */
  async take(own: readonly string[]): Promise<string | null> {
    const rows = await this.#prisma.$queryRaw<{ id: string }[]>`
      UPDATE "Import" SET "state" = 'RUNNING', "holder" = ${this.holder},
        "startedAt" = coalesce("startedAt", clock_timestamp()),
        "heldUntil" = clock_timestamp() + ${holdMs}::int * interval '1 millisecond'
      WHERE "id" = (
        SELECT "id" FROM "Import" WHERE "state" IN ('WAITING', 'RUNNING') AND NOT "id" = ANY(${own}::text[])
          AND ("heldUntil" IS NULL OR "heldUntil" < clock_timestamp() OR ${this.#isSoleClient}::boolean)
        ORDER BY "createdAt", "id" LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING "id"`;
    return rows[0]?.id ?? null;
  }

  /** @throws HoldLost */
  async renew(id: string): Promise<void> {
    const renewed = await this.#prisma.$executeRaw`
      UPDATE "Import" SET "heldUntil" = clock_timestamp() + ${holdMs}::int * interval '1 millisecond'
      WHERE "id" = ${id} AND "holder" = ${this.holder} AND "state" = 'RUNNING'`;
    if (renewed !== 1) throw new HoldLost(`The import ${id} is fetched here no more.`);
  }

  /** Changes an import that this process holds. @throws HoldLost */
  async change(id: string, data: Prisma.ImportUpdateManyMutationInput): Promise<void> {
    const { count } = await this.#prisma.import.updateMany({ where: this.held(id), data });
    if (count !== 1) throw new HoldLost(`The import ${id} is fetched here no more.`);
  }

  /** Lets another process have it at once, if it is not at its end. */
  async release(id: string): Promise<void> {
    const where = { id, holder: this.holder };
    await this.#prisma.import.updateMany({ where, data: { holder: null, heldUntil: null } });
  }

  /** The import, as long as it is this process's to fetch. */
  held(id: string) {
    return { id, holder: this.holder, state: "RUNNING" } as const;
  }

  /** Imports that have ended and of which nobody writes anything any more, with parts left in the store. */
  async ended(): Promise<readonly Pick<Import, "id" | "projectId">[]> {
    return this.#prisma.$queryRaw<{ id: string; projectId: string }[]>`
      SELECT "id", "projectId" FROM "Import"
      WHERE NOT "isCleared" AND "state" NOT IN ('WAITING', 'RUNNING')
        AND ("heldUntil" IS NULL OR "heldUntil" < clock_timestamp() OR ${this.#isSoleClient}::boolean)
      ORDER BY "createdAt" LIMIT 20`;
  }
}
