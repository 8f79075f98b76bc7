import { AppError, limits } from "@hopwise/contracts";
import { notFound, requireRole, type Viewer, visible } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { type Page, takePage } from "../database/page.ts";
import type { Dataset, DatasetVersion, Prisma } from "../generated/prisma/client.ts";
import { findProjectId } from "../projects/project-service.ts";
import type { Services } from "../services.ts";

type Database = Pick<Services, "prisma">;

export interface DatasetListing {
  readonly project?: string | null | undefined;
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** By age, and by id among those of one millisecond. */
const newestFirst: Prisma.DatasetOrderByWithRelationInput[] = [{ createdAt: "desc" }, { id: "desc" }];

/** @param relations what of other tables is read with the rows */
export async function listDatasets(
  { prisma }: Services,
  viewer: Viewer,
  listing: DatasetListing,
  relations: Pick<Prisma.DatasetFindManyArgs, "include"> = {},
): Promise<Page<Dataset>> {
  const asked = listing.project ? { projectId: listing.project } : {};
  const where = { AND: [visible(viewer), asked, { deletedAt: null, isForModel: false }] };
  return takePage(listing, {
    find: (take, beyond: Prisma.DatasetWhereInput) =>
      prisma.dataset.findMany({ where: { AND: [where, beyond] }, take, orderBy: newestFirst, ...relations }),
    count: () => prisma.dataset.count({ where }),
    placeOf: (id) => prisma.dataset.findFirst({ where: { id, ...visible(viewer) } }),
    beyond: ({ createdAt, id }) => ({ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }),
  });
}

/** A dataset with its first, empty version; `isForModel`: a place for the files of a model. */
export async function createDataset(
  services: Services,
  viewer: Viewer,
  { project, name, isForModel = false }: { project?: string | null | undefined; name: string; isForModel?: boolean },
): Promise<Dataset> {
  requireRole(viewer, "EDITOR");
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > limits.jobNameLength) {
    throw new AppError("REQUEST_INVALID", `A dataset's name has 1 to ${limits.jobNameLength} characters.`, {
      place: { pointer: "/name" },
    });
  }
  const projectId = await findProjectId(services, viewer, project);
  const owner = { projectId, createdBy: viewer.userId };
  const version = { id: newId("dsv"), number: 1, ...owner };
  return services.prisma.dataset.create({
    data: { id: newId("ds"), name: trimmed, isForModel, ...owner, versions: { create: version } },
  });
}

export async function findDataset({ prisma }: Database, viewer: Viewer, id: string): Promise<Dataset | null> {
  return prisma.dataset.findFirst({ where: { id, deletedAt: null, ...visible(viewer) } });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getDataset(services: Database, viewer: Viewer, id: string): Promise<Dataset> {
  const dataset = await findDataset(services, viewer, id);
  if (!dataset) throw notFound("dataset", id);
  return dataset;
}

const versionParts = { sources: true, graph: { select: { id: true, digest: true, info: true } } } as const;

/** A version that is there, with its files and its graph. */
export async function loadVersion({ prisma }: Database, id: string) {
  return prisma.datasetVersion.findUniqueOrThrow({ where: { id }, include: versionParts });
}

/** A dataset with its versions, newest first, and their files and graphs. */
export async function loadVersions({ prisma }: Database, dataset: Dataset) {
  const versions = await prisma.datasetVersion.findMany({
    where: { datasetId: dataset.id },
    orderBy: { number: "desc" },
    include: versionParts,
  });
  return { ...dataset, versions };
}

/**
 * The version meant by `ds_…`, `ds_…@2` or a version's own id; without a number the latest.
 *
 * @throws AppError REQUEST_NOT_FOUND
 */
export async function getVersion({ prisma }: Services, viewer: Viewer, reference: string): Promise<DatasetVersion> {
  const [id = "", number] = reference.split("@");
  const version = await prisma.datasetVersion.findFirst({
    where: {
      ...visible(viewer),
      dataset: { deletedAt: null },
      OR: [{ id: reference }, { datasetId: id, ...(number === undefined ? {} : { number: toNumber(number) }) }],
    },
    orderBy: { number: "desc" },
  });
  if (!version) throw notFound("dataset", reference);
  return version;
}

function toNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : -1;
}

/** Drops the references; what nothing references is swept later. Jobs keep their own results. */
export async function deleteDataset(services: Database, viewer: Viewer, id: string): Promise<void> {
  requireRole(viewer, "EDITOR");
  await getDataset(services, viewer, id);
  const running = await services.prisma.job.findFirst({
    where: { datasetVersion: { datasetId: id }, state: { in: ["QUEUED", "RUNNING", "CANCELLING"] } },
  });
  if (running) {
    throw new AppError("REQUEST_CONFLICT", `Job ${running.id} is using this dataset; cancel it or wait for its end.`);
  }
  const now = new Date();
  await services.prisma.$transaction([
    services.prisma.dataset.update({ where: { id }, data: { deletedAt: now } }),
    services.prisma.import.updateMany({
      where: { datasetId: id, state: { in: ["WAITING", "RUNNING"] } },
      data: { state: "CANCELLED", finishedAt: now },
    }),
  ]);
}
