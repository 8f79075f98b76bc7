import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";

/**
 * For what holds for all projects, or sets bounds to one: its own admin could lift them.
 *
 * @throws AppError AUTH_FORBIDDEN
 */
export function requireAdminOfService(viewer: Viewer): void {
  requireRole(viewer, "ADMIN");
  if (viewer.projectId === null) return;
  throw new AppError(
    "AUTH_FORBIDDEN",
    `Your key is bound to the project ${viewer.projectId}; ask an admin whose key is bound to none.`,
  );
}
