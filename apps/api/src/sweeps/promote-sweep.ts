import { AppError, type PromoteSweepRequest } from "@hopwise/contracts";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import { changeModelVersion } from "../models/change-version.ts";
import { keepModel } from "../models/keep-model.ts";
import type { ShownVersion } from "../models/model-queries.ts";
import type { Services } from "../services.ts";
import { getSweep, sumUp } from "./sweep-queries.ts";

/**
 * Keeps the model of the best setting's best job as the next version under a name; why it is the best is its note.
 * Asked for again, it is the version that is there.
 *
 * @throws AppError REQUEST_CONFLICT as long as no job has succeeded, REQUEST_NOT_FOUND, AUTH_FORBIDDEN, and what
 * `keepModel` throws
 */
export async function promoteSweep(
  services: Services,
  viewer: Viewer,
  id: string,
  { name, stage }: PromoteSweepRequest,
): Promise<ShownVersion> {
  requireRole(viewer, "EDITOR");
  const { best } = await sumUp(services, await getSweep(services, viewer, id));
  if (!best) throw new AppError("REQUEST_CONFLICT", "No job of this sweep has succeeded yet, so none is the best.");
  const version = await keepModel(services, viewer, { name, job: best.jobId, note: best.reason });
  return stage === "candidate" ? version : changeModelVersion(services, viewer, version.id, { stage });
}
