import { AppError, schemaIssue } from "@hopwise/contracts";
import type { z } from "zod";

/**
 * Arguments as the schema of the REST route has them; those that are null or left out have its defaults.
 *
 * @throws AppError REQUEST_INVALID as the route of REST does
 */
export function soundArguments<T extends z.ZodType>(schema: T, asked: Readonly<Record<string, unknown>>): z.output<T> {
  const given = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined);
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const { pointer, message } = schemaIssue(parsed.error, []);
  throw new AppError("REQUEST_INVALID", `${pointer}: ${message}`, { place: { pointer } });
}
