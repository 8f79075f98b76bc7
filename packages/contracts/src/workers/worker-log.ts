import { z } from "zod";
import { limits } from "../limits.ts";

/** Values of a line's fields: what was an object before it was sent is its JSON, as text. */
const fieldValue = z.union([z.string().max(limits.workerLogLine), z.number(), z.boolean(), z.null()]);

/** A line of a worker's own log, as it lies in Redis and as it is shown. */
export const workerLogLine = z
  .object({
    cursor: z.number().int().nonnegative().describe("Grows with each line, over restarts too"),
    at: z.iso.datetime(),
    level: z.enum(["debug", "info", "warn", "error"]),
    message: z.string().max(limits.workerLogLine),
    fields: z.record(z.string().max(100), fieldValue),
  })
  .meta({ id: "WorkerLogLine" });
export type WorkerLogLine = z.infer<typeof workerLogLine>;

/** How long a worker's log is kept after its last line. */
export const workerLogMs = 7 * 24 * 3_600_000;
