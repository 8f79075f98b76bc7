import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { linkSplitOptions } from "./link-split.ts";

const count = z.number().int().nonnegative();

/** `info` of an artifact of kind `links`: how the edges of a graph were told apart. */
export const linksInfo = z.object({
  numNodes: count,
  directed: z.boolean(),
  /** Types of the nodes, which negatives keep to; none: they are all alike */
  nodeTypes: z.array(z.string()).default([]),
  /** Relations that links are told apart by; none: they are all alike */
  relations: z.array(z.string()).default([]),
  /** Stored edges that carry messages; those of an undirected graph count in both directions */
  numMessages: count,
  /** Links to learn from, and those held out */
  links: z.object({ train: count, val: count, test: count }),
  /** Kept pairs without a link */
  negatives: z.object({ val: count, test: count }),
  options: linkSplitOptions,
});
export type LinksInfo = z.infer<typeof linksInfo>;

/** @throws GnnError MANIFEST_INVALID when the artifact is no `links` or its facts do not have their form */
export function parseLinksInfo({ dir, manifest }: ArtifactDir): LinksInfo {
  if (manifest.kind !== "links") {
    throw new GnnError("MANIFEST_INVALID", `${dir} holds an artifact of kind "${manifest.kind}"; expected "links".`);
  }
  const parsed = linksInfo.safeParse(manifest.info);
  if (parsed.success) return parsed.data;
  throw new GnnError("MANIFEST_INVALID", `${dir}: info of the links is damaged: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}
