import { AppError, limits } from "@hopwise/contracts";

/** One page of a list; its cursor is the id of its last node. */
export interface Page<T> {
  readonly nodes: readonly T[];
  /** Counts the whole list: a query of its own, which few readers need. */
  readonly countAll: () => Promise<number>;
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

/** What a list is read with. `Where` says which rows, as Prisma takes it; `Place` where one stands in the list. */
export interface PageSource<T, Place, Where extends object> {
  /** Reads so many rows of what lies `beyond` the page before. */
  readonly find: (take: number, beyond: Where | Record<string, never>) => Promise<T[]>;
  readonly count: () => Promise<number>;
  /** The place of a node that the reader may see; one that has left the list since then still has its own. */
  readonly placeOf: (id: string) => Promise<Place | null>;
  readonly beyond: (place: Place) => Where;
}

/**
 * Reads one row more than the page, which tells whether another page follows.
 *
 * @throws AppError REQUEST_INVALID when nothing that the reader may see has the cursor: an empty page would look like
 * the end
 */
export async function takePage<T, Place, Where extends object>(
  { first, after }: PageRequest,
  { find, count, placeOf, beyond }: PageSource<T, Place, Where>,
): Promise<Page<T>> {
  const size = pageSize(first);
  const startOf = async (cursor: string) => {
    const place = await placeOf(cursor);
    if (place === null) throw unknownCursor(cursor);
    return beyond(place);
  };
  const rows = await find(size + 1, after === null || after === undefined ? {} : await startOf(after));
  return { nodes: rows.slice(0, size), hasNextPage: rows.length > size, countAll: count };
}

function unknownCursor(after: string): AppError {
  return new AppError(
    "REQUEST_INVALID",
    `"${after.slice(0, 40)}" is no cursor of this list, or what it stood for is gone; send the endCursor of a page, or none for the first page.`,
    { place: { field: "after" } },
  );
}
