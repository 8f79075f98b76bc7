import type { SourceFile } from "../generated/prisma/client.ts";

/** Counted per version, so it orders the files and names their blobs. */
export function uploadNumber({ blobKey }: Pick<SourceFile, "blobKey">): number {
  return Number(blobKey.split("/").at(-1));
}
