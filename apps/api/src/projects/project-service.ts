import { AppError, limits } from "@hopwise/contracts";
import { defaultProjectId } from "../auth/first-start.ts";
import { notFound, requireRole, type Viewer } from "../auth/viewer.ts";
import { newId } from "../database/ids.ts";
import { isUniqueViolation } from "../database/unique-violation.ts";
import type { Project } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";

type Database = Pick<Services, "prisma">;

/** The projects that the viewer may see, oldest first. */
export function listProjects({ prisma }: Database, viewer: Viewer): Promise<Project[]> {
  const where = viewer.projectId === null ? {} : { id: viewer.projectId };
  return prisma.project.findMany({ where, orderBy: [{ createdAt: "asc" }, { id: "asc" }], take: limits.listLength });
}

/**
 * A new project, as an admin who is bound to none.
 *
 * @throws AppError REQUEST_CONFLICT when a project is called so or has that id, AUTH_FORBIDDEN
 */
export async function createProject({ prisma }: Database, viewer: Viewer, name: string): Promise<Project> {
  requireRole(viewer, "ADMIN");
  if (viewer.projectId !== null) {
    throw new AppError("AUTH_FORBIDDEN", "Your key is bound to one project; make projects with a key that is not.");
  }
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > limits.jobNameLength) {
    throw new AppError("REQUEST_INVALID", `A project's name has 1 to ${limits.jobNameLength} characters.`, {
      place: { pointer: "/name" },
    });
  }
  const taken = new AppError(
    "REQUEST_CONFLICT",
    `There is a project "${trimmed}" already; use it or choose a new name.`,
  );
  // Projects are found by id or name: a name that is another one's id would mean two.
  if (await prisma.project.findUnique({ where: { id: trimmed } })) throw taken;
  try {
    return await prisma.project.create({ data: { id: newId("prj"), name: trimmed, createdBy: viewer.userId } });
  } catch (error) {
    throw isUniqueViolation(error) ? taken : error;
  }
}

/**
 * The project named by id or name; left out: the one the viewer is bound to, else the default one.
 *
 * @throws AppError REQUEST_NOT_FOUND when there is none, or none for this viewer
 */
export async function findProjectId(
  { prisma }: Database,
  viewer: Viewer,
  project: string | null | undefined,
): Promise<string> {
  const wanted = project ?? viewer.projectId ?? defaultProjectId;
  const found = await prisma.project.findFirst({ where: { OR: [{ id: wanted }, { name: wanted }] } });
  if (!found || (viewer.projectId !== null && found.id !== viewer.projectId)) throw notFound("project", wanted);
  return found.id;
}
