import { Prisma, type PrismaClient } from "../generated/prisma/client.ts";
import { RowHolds } from "../holds/row-holds.ts";

/** One whose rows are still to be made keeps nobody busy. */
const ready = Prisma.sql`NOT EXISTS (
  SELECT 1 FROM "Job" WHERE "Job"."id" = "WriteBack"."exportJobId"
    AND "Job"."state" NOT IN ('SUCCEEDED', 'FAILED', 'CANCELLED'))`;

/** Which process writes which rows. */
export class WriteBackHolds extends RowHolds<Prisma.WriteBackUpdateManyMutationInput> {
  constructor(prisma: PrismaClient, isSoleClient: boolean) {
    const updateMany = (args: Prisma.WriteBackUpdateManyArgs) => prisma.writeBack.updateMany(args);
    super(prisma, isSoleClient, { name: "WriteBack", noun: "write-back", ready, updateMany });
  }
}
