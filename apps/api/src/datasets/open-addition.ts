import { AppError } from "@hopwise/contracts";
import type { Viewer } from "../auth/viewer.ts";
import type { DatasetVersion } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import { createVersion } from "./create-version.ts";
import { getVersion } from "./dataset-service.ts";

/**
 * The version that takes rows which are added to the newest graph: the open one, or a new one.
 *
 * @throws AppError REQUEST_CONFLICT as `requireAddable`, and while a graph is being built
 */
export async function openAddition(services: Services, viewer: Viewer, datasetId: string): Promise<DatasetVersion> {
  const latest = await getVersion(services, viewer, datasetId);
  refuseOther(latest);
  if (isOpen(latest)) return latest;
  return createVersion(services, viewer, datasetId, { withFiles: true, adds: true });
}

/**
 * Whether rows may be added to a dataset, now or when the graph is built that is being built.
 *
 * @throws AppError REQUEST_CONFLICT for a dataset without a graph, or whose open version stands alone
 */
export async function requireAddable(services: Services, viewer: Viewer, datasetId: string): Promise<void> {
  const latest = await getVersion(services, viewer, datasetId);
  refuseOther(latest);
  if (latest.state === "INGESTING") return;
  if (await services.prisma.datasetVersion.findFirst({ where: { datasetId, state: "READY" } })) return;
  throw new AppError(
    "REQUEST_CONFLICT",
    "No version of the dataset has a graph to add to; import without adds first.",
    {
      place: { pointer: "/adds" },
    },
  );
}

function isOpen({ state }: DatasetVersion): boolean {
  return state === "UPLOADING" || state === "MAPPING";
}

/** What is open and holds files of its own is somebody's work: rows of others do not belong there. */
function refuseOther(latest: DatasetVersion): void {
  if (!isOpen(latest) || latest.addsTo !== null) return;
  // The first version of a dataset is open from the beginning, and adds to nothing.
  const instead = latest.number === 1 ? "import without adds first" : "finish it, then add to it";
  throw new AppError(
    "REQUEST_CONFLICT",
    `Version ${latest.number} of the dataset is not finished and stands alone: ${instead}.`,
    { place: { pointer: "/adds" } },
  );
}
