import { ZodError } from "zod";
import type { IncomingEvent, PersistResult } from "./persist-events.ts";

type Persist = (events: readonly IncomingEvent[]) => Promise<PersistResult>;

export interface PersistedJobs extends PersistResult {
  /** What the events of one job failed with, which are to be tried again. */
  readonly failure?: unknown;
}

/**
 * Persists a batch; when what the database holds of one of its jobs cannot be read, the events of the others.
 *
 * @throws whatever else `persist` throws, and that failure when the batch is of one job: all of it is to be tried again
 */
export async function persistEachJob(events: readonly IncomingEvent[], persist: Persist): Promise<PersistedJobs> {
  const jobIds = [...new Set(events.map(({ event }) => event.jobId))];
  try {
    return await persist(events);
  } catch (error) {
    if (!(error instanceof ZodError) || jobIds.length === 1) throw error;
  }
  const jobs = jobIds.map((jobId) => events.filter(({ event }) => event.jobId === jobId));
  const parts: PersistedJobs[] = [];
  for (const ofJob of jobs) parts.push(await persistOrTell(ofJob, persist));
  return {
    persisted: new Map(parts.flatMap(({ persisted }) => [...persisted])),
    changedJobs: parts.flatMap(({ changedJobs }) => changedJobs),
    gaps: new Set(parts.flatMap(({ gaps }) => [...gaps])),
    failure: parts.find(({ failure }) => failure !== undefined)?.failure,
  };
}

async function persistOrTell(events: readonly IncomingEvent[], persist: Persist): Promise<PersistedJobs> {
  try {
    return await persist(events);
  } catch (failure) {
    if (!(failure instanceof ZodError)) throw failure;
    return { persisted: new Map(), changedJobs: [], gaps: new Set(), failure };
  }
}
