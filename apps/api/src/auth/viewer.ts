import { AppError } from "@hopwise/contracts";
import type { Role } from "../generated/prisma/client.ts";

/** Who is asking, as found by the key or the session. */
export interface Viewer {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  /** Set: objects of other projects do not exist for this viewer. */
  readonly projectId: string | null;
  readonly via: "key" | "session";
}

const rank = { VIEWER: 0, EDITOR: 1, ADMIN: 2 } as const;

export function lowerRole(a: Role, b: Role): Role {
  return rank[a] < rank[b] ? a : b;
}

/** @throws AppError AUTH_FORBIDDEN when the viewer's role is below `role` */
export function requireRole(viewer: Viewer, role: Role): void {
  if (rank[viewer.role] >= rank[role]) return;
  throw new AppError(
    "AUTH_FORBIDDEN",
    `This needs the role ${role.toLowerCase()}; yours is ${viewer.role.toLowerCase()}. Ask an admin for a key of that role.`,
  );
}

/** The `where` part that hides what the viewer may not see. */
export function visible(viewer: Viewer): { projectId?: string } {
  return viewer.projectId === null ? {} : { projectId: viewer.projectId };
}

/** The 404 of an object that is not there, or not there for this viewer: both look the same. */
export function notFound(what: string, id: string): AppError {
  return new AppError(
    "REQUEST_NOT_FOUND",
    `There is no ${what} "${id}" here; it may be deleted or of another project.`,
  );
}
