import { AppError } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";

/**
 * A worker works for all projects.
 *
 * @throws AppError AUTH_FORBIDDEN
 */
export function requireAdminOfAll(viewer: Viewer): void {
  requireRole(viewer, "ADMIN");
  if (viewer.projectId === null) return;
  throw new AppError(
    "AUTH_FORBIDDEN",
    `Workers serve all projects, and this key is bound to ${viewer.projectId}; ask an admin whose key is bound to none.`,
  );
}
