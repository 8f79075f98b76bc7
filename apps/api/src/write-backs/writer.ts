import { limits } from "@hopwise/contracts";
import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import { failedRow, HeldWork } from "../holds/held-work.ts";
import type { Logger } from "../logger.ts";
import { WriteBackHolds } from "./write-back-hold.ts";

export interface WriterOptions {
  readonly prisma: PrismaClient;
  readonly log: Pick<Logger, "error" | "warn">;
  /** The database serves this process alone (PGlite). */
  readonly isSoleClient: boolean;
}

/** Writes the rows of one to their end. @throws whatever ends it; the signal's reason, HoldLost */
export type RunWriteBack = (id: string, holds: WriteBackHolds, signal: AbortSignal) => Promise<void>;

export type Writer = HeldWork<Prisma.WriteBackUpdateManyMutationInput>;

/** Writes rows back in the background; what a killed process was at is begun anew, for nothing of it was kept. */
export function openWriter({ prisma, log, isSoleClient }: WriterOptions, run: RunWriteBack): Writer {
  const holds = new WriteBackHolds(prisma, isSoleClient);
  return new HeldWork({
    holds,
    log,
    atOnce: limits.writeBacksAtOnce,
    run: (id, signal) => run(id, holds, signal),
    failed: failedRow,
  });
}
