import { limits } from "@hopwise/contracts";

/** One page of a list; its cursor is the id of its last node. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly totalCount: number;
  readonly hasNextPage: boolean;
}

export interface PageRequest {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** 1 … limits.pageSize; 50 when nothing is asked. */
export function pageSize(first: number | null | undefined): number {
  return Math.max(1, Math.min(first ?? 50, limits.pageSize));
}

interface PrismaPage {
  readonly take: number;
  readonly skip?: number;
  readonly cursor?: { readonly id: string };
}

/** Reads one row more than the page, which tells whether another page follows. */
export async function takePage<T>(
  { first, after }: PageRequest,
  find: (page: PrismaPage) => Promise<T[]>,
  count: () => Promise<number>,
): Promise<Page<T>> {
  const size = pageSize(first);
  const rows = await find({ take: size + 1, ...(after ? { cursor: { id: after }, skip: 1 } : {}) });
  return { nodes: rows.slice(0, size), hasNextPage: rows.length > size, totalCount: await count() };
}
