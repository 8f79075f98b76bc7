import type { ModelVersionChange } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { transactionLimits } from "../job-state/job-store.ts";
import type { Services } from "../services.ts";
import { getModel, getModelVersion, type ShownVersion } from "./model-queries.ts";
import { storedStage } from "./stages.ts";

type Database = Pick<Services, "prisma">;

/**
 * Moves a version to another stage, or changes its note. One version of a model is in production: the one that was is
 * archived, in the same transaction.
 *
 * @throws AppError REQUEST_NOT_FOUND, AUTH_FORBIDDEN
 */
export async function changeModelVersion(
  services: Database,
  viewer: Viewer,
  id: string,
  { stage, note }: ModelVersionChange,
): Promise<ShownVersion> {
  requireRole(viewer, "EDITOR");
  const { modelId } = await getModelVersion(services, viewer, id);
  await services.prisma.$transaction(async (tx) => {
    // Two promotions at the same time: the second sees what the first has done.
    await tx.$queryRaw`SELECT id FROM "RegisteredModel" WHERE id = ${modelId} FOR UPDATE`;
    const stageChangedAt = new Date();
    if (stage === "production") {
      const others = { modelId, stage: "PRODUCTION", id: { not: id } } as const;
      await tx.modelVersion.updateMany({ where: others, data: { stage: "ARCHIVED", stageChangedAt } });
    }
    if (stage !== undefined) {
      const wanted = storedStage(stage);
      await tx.modelVersion.updateMany({
        where: { id, stage: { not: wanted } },
        data: { stage: wanted, stageChangedAt },
      });
    }
    if (note !== undefined) await tx.modelVersion.updateMany({ where: { id }, data: { note } });
  }, transactionLimits);
  return getModelVersion(services, viewer, id);
}

/** Its files go with the sweep, once no job that applies it is under way and no job that made it is left. */
export async function deleteModelVersion(services: Database, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  await getModelVersion(services, viewer, id);
  await services.prisma.modelVersion.deleteMany({ where: { id } });
}

export async function deleteModel(services: Database, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  await getModel(services, viewer, id);
  await services.prisma.registeredModel.deleteMany({ where: { id } });
}
