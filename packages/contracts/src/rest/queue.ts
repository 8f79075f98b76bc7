import { z } from "zod";
import { route } from "./route.ts";
import { count, isoTime } from "./shapes.ts";

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
    length: count.describe("Of all projects"),
    jobs: z.array(waitingJobAnswer).describe("Those that the asker may see, the next first"),
  })
  .meta({ id: "Queue" });
export type QueueAnswer = z.infer<typeof queueAnswer>;

export const queueRoutes = {
  readQueue: route({
    method: "GET",
    path: "/v1/queue",
    tag: "jobs",
    summary: "The jobs that wait for a worker, in the order in which they get one",
    answers: { 200: queueAnswer },
  }),
};
