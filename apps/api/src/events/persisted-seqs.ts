import { keyName, type StageKey } from "@hopwise/contracts";
import type { PrismaClient } from "../generated/prisma/client.ts";

/** `keyName` of a slice → highest persisted seq, of those that have any. */
export async function readPersistedSeqs(
  prisma: PrismaClient,
  keys: readonly StageKey[],
): Promise<ReadonlyMap<string, number>> {
  const jobIds = [...new Set(keys.map(({ jobId }) => jobId))];
  const rows = await prisma.stageSequence.findMany({ where: { jobId: { in: jobIds } } });
  return new Map(rows.map((row) => [keyName(row), row.seq]));
}
