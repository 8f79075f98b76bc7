import type { ObjectRef } from "@pothos/core";
import { queryFromInfo } from "@pothos/plugin-prisma";
import type { GraphQLResolveInfo } from "graphql";
import type { Page } from "../../database/page.ts";
import { type ApiTypes, builder, type GraphqlContext } from "../base/builder.ts";
import { costs } from "../base/costs.ts";

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
      totalCount: t.int({ complexity: costs.query, resolve: (page) => page.countAll() }),
      nodes: t.field({ type: [node], complexity: { multiplier: 1 }, resolve: (page) => [...page.nodes] }),
      edges: t.field({ type: [Edge], complexity: { multiplier: 1 }, resolve: (page) => [...page.nodes] }),
      pageInfo: t.field({
        type: PageInfo,
        resolve: (page) => ({ hasNextPage: page.hasNextPage, endCursor: page.nodes.at(-1)?.id ?? null }),
      }),
    }),
  });
}

/** What lies in other tables and is asked for of a connection's nodes: read for the whole page, not row by row. */
export function askedOfNodes(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  typeName: string,
): { include?: object } {
  const { include } = queryFromInfo({ context, info, typeName, paths: [["nodes"], ["edges", "node"]] });
  return include ? { include } : {};
}
