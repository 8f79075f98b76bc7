import { Prisma } from "../generated/prisma/client.ts";

/** Whether a unique index refused the row. By code alone: the two drivers describe the index differently. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
