import { z } from "zod";
import { route } from "./route.ts";
import { count, isoTime, listOf } from "./shapes.ts";

export const waitingJobAnswer = z
  .object({
    position: count.describe("1 = next; jobs of other projects count too"),
    jobId: z.string(),
    projectId: z.string(),
    name: z.string(),
    kind: z.string(),
    priority: z.number().int(),
    reason: z.string().nullable().describe("Why it waits; null until the scheduler has looked at it"),
    submittedAt: isoTime,
  })
  .meta({ id: "WaitingJob" });
export type WaitingJobAnswer = z.infer<typeof waitingJobAnswer>;

export const queueAnswer = z
  .object({
    length: count.describe("How many jobs wait, in all projects"),
    jobs: z.array(waitingJobAnswer).describe("Those that the asker may see, the next first"),
  })
  .meta({ id: "Queue" });
export type QueueAnswer = z.infer<typeof queueAnswer>;

export const queueDayAnswer = z
  .object({
    day: z.string().describe("In UTC, as 2026-11-24"),
    submitted: count.describe("Training jobs that were submitted"),
    medianWaitSeconds: z
      .number()
      .nullable()
      .describe("From the submission to the first stage, of those that have begun; null: none has"),
    longestWaitSeconds: z.number().nullable(),
    rankHours: z.number().describe("Hours of slots that ranks and sampler processes held, of jobs of any kind"),
  })
  .meta({ id: "QueueDay" });
export type QueueDayAnswer = z.infer<typeof queueDayAnswer>;

/** How far a queue's history goes back. */
export const mostQueueDays = 90;

export const queueRoutes = {
  readQueue: route({
    method: "GET",
    path: "/v1/queue",
    tag: "jobs",
    summary: "The jobs that wait for a worker, in the order in which they get one",
    answers: { 200: queueAnswer },
  }),
  readQueueHistory: route({
    method: "GET",
    path: "/v1/queue/history",
    tag: "jobs",
    summary: "What was submitted on each of the last days, how long it waited, and how long ranks were held",
    query: z.object({ days: z.coerce.number().int().min(1).max(mostQueueDays).default(7) }),
    answers: { 200: listOf(queueDayAnswer) },
  }),
};
