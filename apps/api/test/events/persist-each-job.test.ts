import { keyName } from "@hopwise/contracts";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { persistEachJob } from "../../src/events/persist-each-job.ts";
import type { IncomingEvent, PersistResult } from "../../src/events/persist-events.ts";
import { noteOf } from "../../src/events/stream-entry.ts";

const eventOf = (jobId: string, seq: number): IncomingEvent => ({
  event: noteOf({ jobId, attempt: 1, stageIndex: 0, slice: 0 }, seq, "told"),
  isAhead: false,
});

/** Takes a batch whole or not at all, and none with events of the job whose spec cannot be read. */
async function persist(events: readonly IncomingEvent[]): Promise<PersistResult> {
  if (events.some(({ event }) => event.jobId === "unreadable")) z.object({}).parse(null);
  const persisted = new Map(events.map(({ event }) => [keyName(event), event.seq]));
  return { persisted, changedJobs: [...new Set(events.map(({ event }) => event.jobId))], gaps: new Set() };
}

test("what others told is persisted beside a job that cannot be read, which is told of", async () => {
  const events = [eventOf("a", 1), eventOf("unreadable", 1), eventOf("b", 1), eventOf("a", 2)];
  const { persisted, changedJobs, failure } = await persistEachJob(events, persist);
  expect(changedJobs).toEqual(["a", "b"]);
  expect([...persisted]).toEqual([
    [keyName(eventOf("a", 2).event), 2],
    [keyName(eventOf("b", 1).event), 1],
  ]);
  expect(failure).toBeInstanceOf(z.ZodError);
});

test("a batch of readable jobs is one transaction", async () => {
  const counted = vi.fn(persist);
  const { failure } = await persistEachJob([eventOf("a", 1), eventOf("b", 1)], counted);
  expect(failure).toBeUndefined();
  expect(counted).toHaveBeenCalledTimes(1);
});

test("a database that is away is no matter of one job", async () => {
  const away = vi.fn(() => Promise.reject(new Error("connection refused")));
  await expect(persistEachJob([eventOf("a", 1), eventOf("b", 1)], away)).rejects.toThrow("connection refused");
  expect(away).toHaveBeenCalledTimes(1);
});

test("a batch of the unreadable job alone is tried again as a whole", async () => {
  await expect(persistEachJob([eventOf("unreadable", 1)], persist)).rejects.toBeInstanceOf(z.ZodError);
});
