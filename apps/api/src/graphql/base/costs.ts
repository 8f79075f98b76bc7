import { pageSize } from "../../database/page.ts";

/**
 * What fields cost, declared beside them as `complexity`. One is a field that only reads a value of an object that is
 * there, about 10 µs of the event loop with its share of the answer; the rest was measured against that. `multiplier`
 * is how long a list may be, so that a document's cost is known before anything is read.
 */
export const costs = {
  /** One query of the database for a few rows. */
  query: 300,
  /** A row of a list, read with everything in it. */
  row: 10,
  /** A JSON value as stored: a spec, what an artifact says about itself. */
  json: 20,
  /** JSON Schema of a component's options: 1.5 kB of an answer on average, each kB at the price of `jsonSchema`. */
  optionsSchema: 95,
  /** A JSON Schema, kept ready: tens of kilobytes of the answer. */
  jsonSchema: 3000,
  /** Checking a spec and applying the components' formulas. */
  estimate: 1000,
  /** Checks, a transaction or several, and whatever is waked by it. */
  mutation: 2000,
} as const;

/** A list that one query reads. */
export function listCost(longest: number): { field: number; multiplier: number } {
  return { field: costs.query + longest * costs.row, multiplier: longest };
}

/** A list that comes with the object above it. */
export function nestedListCost(longest: number): { field: number; multiplier: number } {
  return { field: longest, multiplier: longest };
}

/** A connection: the page and one row more, and what it is read with; the count of all costs by itself. */
export function pageCost({ first }: { first?: number | null | undefined }): { field: number; multiplier: number } {
  const size = pageSize(first);
  return { field: 2 * costs.query + size * costs.row, multiplier: size };
}

/** Numbers of a series, which are read and sent in one go. */
export function pointsCost(points: number, most: number): number {
  return costs.query + Math.max(0, Math.min(points, most)) / 2;
}
