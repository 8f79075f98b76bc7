import { expect, test } from "vitest";
import { type LoadPage, loadPages } from "../../src/hooks/use-pages.ts";

/** A list of 1 … `length` in pages of two, whose cursors are the last number of the page before. */
function listOf(length: number): LoadPage<number> {
  return async (after) => {
    const start = after === null ? 0 : Number(after);
    const nodes = [start + 1, start + 2].filter((node) => node <= length);
    return {
      page: {
        edges: nodes.map((node) => ({ node })),
        pageInfo: { hasNextPage: start + 2 < length, endCursor: String(nodes.at(-1) ?? null) },
      },
    };
  };
}

test("pages follow one another by cursor, and the list says whether there is more", async () => {
  expect((await loadPages(listOf(5), 1)).data).toEqual({ nodes: [1, 2], hasMore: true });
  expect((await loadPages(listOf(5), 2)).data).toEqual({ nodes: [1, 2, 3, 4], hasMore: true });
  expect((await loadPages(listOf(5), 9)).data).toEqual({ nodes: [1, 2, 3, 4, 5], hasMore: false });
  expect((await loadPages(listOf(0), 1)).data).toEqual({ nodes: [], hasMore: false });
});
