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

/** Where a node stands in a list: lists go by age, and by id among those of one millisecond. */
export interface Place {
  readonly id: string;
  readonly createdAt: Date;
}

export interface PageSource<T> {
  readonly direction: "asc" | "desc";
  /** Reads what lies `beyond` the page before, `take` of it. */
  readonly find: (page: PageQuery) => Promise<T[]>;
  readonly count: () => Promise<number>;
  /** The place of a node that the reader may see; one that has left the list since then still has its own. */
  readonly placeOf: (id: string) => Promise<Place | null>;
}

interface PageQuery {
  readonly take: number;
  readonly beyond: Beyond;
  readonly orderBy: [{ createdAt: "asc" | "desc" }, { id: "asc" | "desc" }];
}

type Side<T> = { lt: T } | { gt: T };
type Beyond = { OR: [{ createdAt: Side<Date> }, { createdAt: Date; id: Side<string> }] } | Record<string, never>;

/**
 * Reads one row more than the page, which tells whether another page follows.
 *
 * @throws AppError REQUEST_INVALID when nothing that the reader may see has the cursor: an empty page would look like
 * the end
 */
export async function takePage<T>(
  { first, after }: PageRequest,
  { direction, find, count, placeOf }: PageSource<T>,
): Promise<Page<T>> {
  const size = pageSize(first);
  const orderBy: PageQuery["orderBy"] = [{ createdAt: direction }, { id: direction }];
  const rows = await find({ take: size + 1, orderBy, beyond: await beyond(after, direction, placeOf) });
  return { nodes: rows.slice(0, size), hasNextPage: rows.length > size, countAll: count };
}

async function beyond(
  after: string | null | undefined,
  direction: "asc" | "desc",
  placeOf: (id: string) => Promise<Place | null>,
): Promise<Beyond> {
  if (after === null || after === undefined) return {};
  const place = await placeOf(after);
  if (!place) throw unknownCursor(after);
  const side = <V>(value: V): Side<V> => (direction === "asc" ? { gt: value } : { lt: value });
  const { createdAt, id } = place;
  return { OR: [{ createdAt: side(createdAt) }, { createdAt, id: side(id) }] };
}

function unknownCursor(after: string): AppError {
  return new AppError(
    "REQUEST_INVALID",
    `"${after.slice(0, 40)}" is no cursor of this list, or what it stood for is gone; send the endCursor of a page, or none for the first page.`,
    { place: { field: "after" } },
  );
}
