import { limits } from "@hopwise/contracts";
import { notFound, type Viewer, visible } from "../auth/viewer.ts";
import { type Page, type PageRequest, takePage } from "../database/page.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

const versionRelations = {
  model: { select: { name: true } },
  artifact: { select: { info: true, bytes: true } },
} satisfies Prisma.ModelVersionInclude;

/** A version with what of other tables is shown of it. */
export type ShownVersion = Prisma.ModelVersionGetPayload<{ include: typeof versionRelations }>;

const modelRelations = {
  versions: { include: versionRelations, orderBy: { number: "desc" }, take: limits.modelVersions },
} satisfies Prisma.RegisteredModelInclude;

export type ShownModel = Prisma.RegisteredModelGetPayload<{ include: typeof modelRelations }>;

export interface ModelFilter {
  readonly project?: string | null | undefined;
  readonly name?: string | null | undefined;
}

type Database = Pick<Services, "prisma">;

/** The models that the viewer may see, newest first, each with its versions. */
export async function listModels(
  { prisma }: Database,
  viewer: Viewer,
  { project, name, ...listing }: ModelFilter & PageRequest,
): Promise<Page<ShownModel>> {
  const where: Prisma.RegisteredModelWhereInput = {
    AND: [visible(viewer), project ? { projectId: project } : {}, name ? { name } : {}],
  };
  return takePage(listing, {
    find: (take, beyond: Prisma.RegisteredModelWhereInput) =>
      prisma.registeredModel.findMany({
        where: { AND: [where, beyond] },
        take,
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        include: modelRelations,
      }),
    count: () => prisma.registeredModel.count({ where }),
    placeOf: (id) => prisma.registeredModel.findFirst({ where: { id, ...visible(viewer) } }),
    beyond: ({ createdAt, id }) => ({ OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }),
  });
}

export function findModel({ prisma }: Database, viewer: Viewer, id: string): Promise<ShownModel | null> {
  return prisma.registeredModel.findFirst({ where: { id, ...visible(viewer) }, include: modelRelations });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getModel(services: Database, viewer: Viewer, id: string): Promise<ShownModel> {
  const model = await findModel(services, viewer, id);
  if (!model) throw notFound("model", id);
  return model;
}

export function findVersion({ prisma }: Database, viewer: Viewer, id: string): Promise<ShownVersion | null> {
  return prisma.modelVersion.findFirst({ where: { id, ...visible(viewer) }, include: versionRelations });
}

/** @throws AppError REQUEST_NOT_FOUND */
export async function getModelVersion(services: Database, viewer: Viewer, id: string): Promise<ShownVersion> {
  const version = await findVersion(services, viewer, id);
  if (!version) throw notFound("version of a model", id);
  return version;
}

/** What an infer job names a version by. */
export function refOfVersion({ model, number }: Pick<ShownVersion, "model" | "number">): string {
  return `${model.name}@${number}`;
}
