import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { WriteBack } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { getWriteBack } from "./write-back-queries.ts";

/**
 * Ends a write-back; its transaction is rolled back.
 *
 * @throws AppError REQUEST_CONFLICT when it has ended, or the database has been told to keep the rows
 */
export async function cancelWriteBack(services: Services, viewer: Viewer, id: string): Promise<WriteBack> {
  requireRole(viewer, "EDITOR");
  await getWriteBack(services, viewer, id);
  const { count } = await services.prisma.writeBack.updateMany({
    where: { id, state: { in: ["WAITING", "RUNNING"] }, isCommitting: false },
    data: { state: "CANCELLED", finishedAt: new Date(), waitReason: null },
  });
  const row = await getWriteBack(services, viewer, id);
  if (count === 0)
    throw new AppError(
      "REQUEST_CONFLICT",
      row.finishedAt
        ? `The write-back has ended already; it is ${row.state}.`
        : "The database is keeping the rows already; wait for the end.",
    );
  services.writer.cancelled(id);
  return row;
}
