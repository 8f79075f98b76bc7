import { Prisma } from "../generated/prisma/client.ts";
import type { IncomingEvent, PersistResult } from "./persist-events.ts";
import { noteOf } from "./stream-entry.ts";

type Persist = (events: readonly IncomingEvent[]) => Promise<PersistResult>;

/**
 * Persists a batch; when the database takes something of it in no circumstances, all the rest of it, and in that one's
 * place a line of its job's log: one bad event must not hold up its job, let alone others.
 *
 * @throws whatever `persist` throws that has to do with the circumstances: all of the batch is to be tried again
 */
export async function persistApart(events: readonly IncomingEvent[], persist: Persist): Promise<PersistResult> {
  try {
    return await persist(events);
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const [first] = events;
    if (events.length > 1) {
      const middle = Math.ceil(events.length / 2);
      const before = await persistApart(events.slice(0, middle), persist);
      return joined(before, await persistApart(events.slice(middle), persist));
    }
    if (!first) throw error;
    const { event } = first;
    const message = `Event ${event.seq} of this stage (${event.body.type}) could not be stored and was left out.`;
    return persist([{ ...first, event: noteOf(event, event.seq, message) }]);
  }
}

function joined(before: PersistResult, after: PersistResult): PersistResult {
  return {
    persisted: new Map([...before.persisted, ...after.persisted]),
    changedJobs: [...new Set([...before.changedJobs, ...after.changedJobs])],
    gaps: new Set([...before.gaps, ...after.gaps]),
  };
}

/** Values that do not fit, as opposed to a database that is away, busy or led by another process. */
function isAboutData(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientValidationError) return true;
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return true;
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  // Value too long, invalid, out of range, too large; of a raw query SQL's class 22, "data exception".
  return ["P2000", "P2006", "P2007", "P2020", "P2033"].includes(error.code) || isDataException(error);
}

function isDataException({ code, message, meta }: Prisma.PrismaClientKnownRequestError): boolean {
  return code === "P2010" && /\b22[0-9A-Z]{3}\b/.test(`${message} ${JSON.stringify(meta)}`);
}
