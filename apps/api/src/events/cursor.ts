import { AppError } from "@hopwise/contracts";

/**
 * The cursor of a job's event as users hold it; nothing means: from the first on.
 *
 * @param last the highest cursor that an event of the job has
 * @throws AppError REQUEST_INVALID when it is none, or lies behind the last event: who waits after it would wait in
 * vain
 */
export function parseCursor(text: string | null | undefined, last: number): number {
  if (text === null || text === undefined || text === "") return 0;
  const cursor = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (cursor <= last) return cursor;
  throw new AppError(
    "REQUEST_INVALID",
    `"${text.slice(0, 40)}" is no cursor of this job, whose last event has ${last}; send one as it came, or none for the first event on.`,
    { place: { field: "after" } },
  );
}
