import { limits } from "@hopwise/contracts";
import { z } from "zod";

export const idParams = z.object({ id: z.string().min(1).max(100) });
export type IdParams = { Params: z.infer<typeof idParams> };

export const pageQuery = z.object({
  project: z.string().optional(),
  first: z.coerce.number().int().min(1).max(limits.pageSize).optional(),
  after: z.string().max(100).optional().describe("endCursor of the page before"),
});

/** A page as REST shows it. */
export function presentPage<T extends { id: string }>(page: {
  nodes: readonly T[];
  totalCount: number;
  hasNextPage: boolean;
}) {
  const { nodes, totalCount, hasNextPage } = page;
  return { items: nodes, totalCount, hasNextPage, endCursor: nodes.at(-1)?.id ?? null };
}
