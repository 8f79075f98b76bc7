import { AppError } from "@hopwise/contracts";

/**
 * The cursor of a job's event as users hold it; nothing means: from the first on.
 *
 * @throws AppError REQUEST_INVALID
 */
export function parseCursor(text: string | null | undefined): number {
  if (text === null || text === undefined || text === "") return 0;
  const cursor = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (cursor <= 2 ** 31 - 1) return cursor;
  throw new AppError("REQUEST_INVALID", `"${text.slice(0, 40)}" is not a cursor; send one of an event as it came.`);
}
