import type { Viewer } from "../auth/viewer.ts";
import type { Upload } from "../generated/prisma/client.ts";

/** Who began an upload, as the one who adds its file. */
export function uploaderOf({ createdBy, projectId }: Upload): Viewer {
  return { userId: createdBy, name: createdBy, role: "EDITOR", projectId, via: "key" };
}
