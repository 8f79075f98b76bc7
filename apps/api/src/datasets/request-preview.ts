import { AppError, schemaIssue } from "@hopwise/contracts";
import { GnnError } from "@hopwise/gnn-core/spec";
import { requireRole, type Viewer } from "../auth/viewer.ts";
import type { Job } from "../generated/prisma/client.ts";
import type { ChosenReaders } from "../job-state/plan-stages.ts";
import type { Services } from "../services.ts";
import { closeFiles } from "./close-files.ts";
import { getVersion } from "./dataset-service.ts";
import { isUploaded } from "./is-uploaded.ts";
import { submitMap } from "./submit-map.ts";

export interface PreviewRequest {
  /** Reader and options of single files; the others are read as they show themselves. */
  readonly readers?: ChosenReaders | undefined;
  readonly requestId?: string;
}

/**
 * Closes the set of files and queues the job that looks into them.
 *
 * @throws AppError DATASET_FILE_MISSING when nothing was uploaded or a reader is chosen for a file that is not there,
 * SPEC_INVALID when there is no such reader or its options do not fit, AUTH_FORBIDDEN below the role editor; then the
 * set stays open
 */
export async function requestPreview(
  services: Services,
  viewer: Viewer,
  reference: string,
  { readers = {}, requestId }: PreviewRequest = {},
): Promise<Job> {
  requireRole(viewer, "EDITOR"); // before anything is closed
  const version = await getVersion(services, viewer, reference);
  await requireReaders(services, version.id, readers);
  await closeFiles(services, viewer, version.id);
  return submitMap(services, viewer, version.id, readers, { requestId });
}

async function requireReaders(services: Services, versionId: string, readers: ChosenReaders): Promise<void> {
  if (Object.keys(readers).length === 0) return;
  const sources = await services.prisma.sourceFile.findMany({ where: { versionId }, select: { name: true } });
  const uploaded = new Set(sources.map(({ name }) => name));
  for (const [file, { type, options }] of Object.entries(readers)) {
    if (!isUploaded(uploaded, file)) {
      const there = [...uploaded].join(", ") || "none yet";
      throw new AppError("DATASET_FILE_MISSING", `There is no file "${file}"; uploaded are ${there}.`, {
        place: { file, pointer: "/readers" },
      });
    }
    requireReader(services, file, type, options);
  }
}

function requireReader({ registry }: Services, file: string, type: string, options: unknown): void {
  const path = ["readers", file];
  try {
    const parsed = registry.get("reader", type).options.safeParse(options);
    if (parsed.success) return;
    const { pointer, message } = schemaIssue(parsed.error, [...path, "options"]);
    throw new AppError("SPEC_INVALID", `${pointer}: ${message}`, { place: { file, pointer } });
  } catch (error) {
    if (!(error instanceof GnnError)) throw error;
    throw new AppError("SPEC_INVALID", error.message, { cause: error, place: { file, pointer: "/readers" } });
  }
}
