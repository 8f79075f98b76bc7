import { z } from "zod";
import { limits } from "../limits.ts";

/** A time in an answer: ISO 8601, UTC. */
export const isoTime = z.iso.datetime().meta({ id: "Time" });

/** A whole number that is not negative, exact in JSON. */
export const count = z.number().int().nonnegative();

/** Numbers with names, such as `test/accuracy`; null: undefined for this data. */
export const metrics = z.record(z.string(), z.number().nullable());

export const idParams = z.object({ id: z.string().min(1).max(100) });

export const pageQuery = z.object({
  project: z.string().optional(),
  first: z.coerce.number().int().min(1).max(limits.pageSize).optional(),
  after: z.string().max(100).optional().describe("endCursor of the page before"),
});

/** A list without pages. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item) });
}

/** A page of a list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    totalCount: count,
    hasNextPage: z.boolean(),
    endCursor: z.string().nullable().describe("Goes into `after` of the next page"),
  });
}
