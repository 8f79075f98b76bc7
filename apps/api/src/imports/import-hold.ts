import { Prisma, type PrismaClient } from "../generated/prisma/client.ts";
import { RowHolds } from "../holds/row-holds.ts";

/** Which process fetches which import. */
export class ImportHolds extends RowHolds<Prisma.ImportUpdateManyMutationInput> {
  constructor(prisma: PrismaClient, isSoleClient: boolean) {
    const updateMany = (args: Prisma.ImportUpdateManyArgs) => prisma.import.updateMany(args);
    super(prisma, isSoleClient, { name: "Import", noun: "import", ready: Prisma.sql`true`, updateMany });
  }

  /** Imports that have ended and of which nobody writes anything any more, with parts left in the store. */
  async ended(): Promise<readonly { readonly id: string; readonly projectId: string }[]> {
    return this.prisma.$queryRaw<{ id: string; projectId: string }[]>`
      SELECT "id", "projectId" FROM "Import"
      WHERE NOT "isCleared" AND "state" NOT IN ('WAITING', 'RUNNING')
        AND ("heldUntil" IS NULL OR "heldUntil" < clock_timestamp() OR ${this.isSoleClient}::boolean)
      ORDER BY "createdAt" LIMIT 20`;
  }
}
