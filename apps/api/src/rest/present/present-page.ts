import type { Page } from "../../database/page.ts";

/** A page as REST shows it. */
export async function presentPage<T extends { id: string }, Shown>(page: Page<T>, present: (node: T) => Shown) {
  const { nodes, countAll, hasNextPage } = page;
  const totalCount = await countAll();
  return { items: nodes.map(present), totalCount, hasNextPage, endCursor: nodes.at(-1)?.id ?? null };
}
