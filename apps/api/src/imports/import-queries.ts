import { limits } from "@hopwise/contracts";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { getDataset } from "../datasets/dataset-service.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

export type ImportWithFiles = Prisma.ImportGetPayload<{ include: { files: true } }>;

const include = { files: { orderBy: { index: "asc" } } } as const;

/** An import that is there. */
export function loadImport({ prisma }: Pick<Services, "prisma">, id: string): Promise<ImportWithFiles> {
  return prisma.import.findUniqueOrThrow({ where: { id }, include });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getImport({ prisma }: Services, viewer: Viewer, id: string): Promise<ImportWithFiles> {
  const where = { id, ...visible(viewer), dataset: { deletedAt: null } };
  const found = await prisma.import.findFirst({ where, include });
  if (!found) throw notFound("import", id);
  return found;
}

/** The newest of a dataset, the newest first. @throws AppError REQUEST_NOT_FOUND */
export async function listImports(services: Services, viewer: Viewer, datasetId: string): Promise<ImportWithFiles[]> {
  await getDataset(services, viewer, datasetId);
  return services.prisma.import.findMany({
    where: { datasetId },
    include,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limits.importsShown,
  });
}

export interface ImportProgress {
  readonly bytesDone: number;
  /** Null as long as it is not known of each file. */
  readonly bytesTotal: number | null;
  readonly etaSeconds: number | null;
}

/** How far all files of an import are, and how long the rest takes at the present pace. */
export function progressOf({ files, state, waitReason, bytesPerSecond }: ImportWithFiles): ImportProgress {
  const bytesDone = files.reduce((sum, file) => sum + Number(file.bytesDone), 0);
  const isKnown = files.every((file) => file.bytesTotal !== null);
  const bytesTotal = isKnown ? files.reduce((sum, file) => sum + Number(file.bytesTotal), 0) : null;
  const isMoving = state === "RUNNING" && waitReason === null && bytesPerSecond !== null && bytesPerSecond > 0;
  const etaSeconds = isMoving && bytesTotal !== null ? Math.max(0, bytesTotal - bytesDone) / bytesPerSecond : null;
  return { bytesDone, bytesTotal, etaSeconds };
}
