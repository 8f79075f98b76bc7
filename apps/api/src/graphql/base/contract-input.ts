import { AppError, schemaIssue } from "@hopwise/contracts";
import type { z } from "zod";

/**
 * An input of GraphQL as the contract of the REST API has it, held to that contract's bounds. What is null there is
 * left out here.
 *
 * @throws AppError REQUEST_INVALID with the place
 */
export function contractInput<S extends z.ZodType>(schema: S, input: object): z.output<S> {
  const parsed = schema.safeParse(withoutNulls(input));
  if (parsed.success) return parsed.data;
  const { pointer, message } = schemaIssue(parsed.error, ["input"]);
  throw new AppError("REQUEST_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}

/** The fields of an input object that say something. */
export function withoutNulls(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}
