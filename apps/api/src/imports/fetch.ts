import type { Viewer } from "../auth/viewer.ts";
import { StoredParts } from "../datasets/stored-parts.ts";
import type { ImportFile } from "../generated/prisma/client.ts";
import type { Services } from "../services.ts";
import type { ImportHolds } from "./import-hold.ts";
import type { ImportWithFiles } from "./import-queries.ts";
import { partsPrefix } from "./parts-prefix.ts";

/** The one import that is being fetched. */
export interface Fetch {
  readonly services: Services;
  readonly holds: ImportHolds;
  readonly signal: AbortSignal;
  readonly row: ImportWithFiles;
}

/** What has come of one file of an import. */
export function partsOf(
  { store }: Pick<Services, "store">,
  { projectId, id }: ImportWithFiles,
  { index }: ImportFile,
): Promise<StoredParts> {
  return StoredParts.open(store, `${partsPrefix(projectId, id)}/${index}`);
}

/** Who asked for the import, as the one who adds its files. */
export function viewerOf({ createdBy, projectId }: ImportWithFiles): Viewer {
  return { userId: createdBy, name: createdBy, role: "EDITOR", projectId, via: "key" };
}
