import { Prisma } from "../../generated/prisma/client.ts";
import type { Services } from "../../services.ts";
import type { ImportHolds } from "../import-hold.ts";
import type { ImportWithFiles } from "../import-queries.ts";
import { partsPrefix } from "../parts-prefix.ts";

/** Ends a run whose source has not changed: its schedule knows, and nothing is left of the run itself. */
export async function endUnchanged(
  { prisma, store }: Services,
  holds: ImportHolds,
  { id, projectId, scheduleId }: ImportWithFiles,
): Promise<void> {
  await holds.renew(id);
  // Whoever goes on after a kill between these steps fetches anew, and takes nothing for what was fetched.
  await prisma.importFile.updateMany({ where: { importId: id }, data: { isComplete: false, bytesDone: 0n } });
  await store.delete(partsPrefix(projectId, id));
  const good = { lastResult: "UNCHANGED", lastAt: new Date(), failures: 0, problem: Prisma.DbNull } as const;
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.import.deleteMany({ where: holds.held(id) });
    if (count !== 1) throw holds.lost(id);
    await tx.importSchedule.updateMany({
      where: { id: scheduleId ?? "", runId: id },
      data: { ...good, runId: null },
    });
  });
}
