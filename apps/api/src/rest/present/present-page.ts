import type { Page } from "../../database/page.ts";

/** A page as REST shows it. */
export function presentPage<T extends { id: string }, Shown>(page: Page<T>, present: (node: T) => Shown) {
  const { nodes, totalCount, hasNextPage } = page;
  return { items: nodes.map(present), totalCount, hasNextPage, endCursor: nodes.at(-1)?.id ?? null };
}
