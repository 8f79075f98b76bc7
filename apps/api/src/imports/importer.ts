import type { ArtifactStore } from "@hopwise/artifacts";
import { limits } from "@hopwise/contracts";
import type { Prisma, PrismaClient } from "../generated/prisma/client.ts";
import { failedRow, HeldWork } from "../holds/held-work.ts";
import type { Logger } from "../logger.ts";
import { ImportHolds } from "./import-hold.ts";
import { partsPrefix } from "./parts-prefix.ts";

export interface ImporterOptions {
  readonly prisma: PrismaClient;
  readonly store: ArtifactStore;
  readonly log: Pick<Logger, "error" | "warn">;
  /** The database serves this process alone (PGlite). */
  readonly isSoleClient: boolean;
}

/** Fetches one import to its end. @throws whatever ends it; the signal's reason, HoldLost */
export type RunImport = (id: string, holds: ImportHolds, signal: AbortSignal) => Promise<void>;

export type Importer = HeldWork<Prisma.ImportUpdateManyMutationInput>;

/** Fetches imports in the background; one that a killed process held is gone on with from what lies in the store. */
export function openImporter({ prisma, store, log, isSoleClient }: ImporterOptions, run: RunImport): Importer {
  const holds = new ImportHolds(prisma, isSoleClient);
  return new HeldWork({
    holds,
    log,
    atOnce: limits.importsAtOnce,
    run: (id, signal) => run(id, holds, signal),
    failed: failedRow,
    clear: async (isRunning) => {
      for (const { id, projectId } of await holds.ended()) {
        if (isRunning(id)) continue;
        await store.delete(partsPrefix(projectId, id));
        await prisma.import.updateMany({ where: { id }, data: { isCleared: true } });
      }
    },
  });
}
