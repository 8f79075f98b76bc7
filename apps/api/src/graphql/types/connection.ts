import type { ObjectRef } from "@pothos/core";
import type { Page } from "../../database/page.ts";
import { type ApiTypes, builder } from "../base/builder.ts";

const PageInfo = builder.objectRef<{ hasNextPage: boolean; endCursor: string | null }>("PageInfo").implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean("hasNextPage"),
    endCursor: t.exposeString("endCursor", { nullable: true }),
  }),
});

/** Declares `<name>Connection` and `<name>Edge`. */
export function connectionOf<T extends { id: string }>(
  name: string,
  node: ObjectRef<PothosSchemaTypes.ExtendDefaultTypes<ApiTypes>, T>,
) {
  const Edge = builder.objectRef<T>(`${name}Edge`).implement({
    fields: (t) => ({
      cursor: t.string({ resolve: (item) => item.id }),
      // T is no list, which TypeScript cannot see through the type parameter.
      node: t.field({ type: node, resolve: (item) => item as never }),
    }),
  });
  return builder.objectRef<Page<T>>(`${name}Connection`).implement({
    fields: (t) => ({
      totalCount: t.exposeInt("totalCount"),
      nodes: t.field({ type: [node], complexity: { multiplier: 1 }, resolve: (page) => [...page.nodes] }),
      edges: t.field({ type: [Edge], complexity: { multiplier: 1 }, resolve: (page) => [...page.nodes] }),
      pageInfo: t.field({
        type: PageInfo,
        resolve: (page) => ({ hasNextPage: page.hasNextPage, endCursor: page.nodes.at(-1)?.id ?? null }),
      }),
    }),
  });
}
