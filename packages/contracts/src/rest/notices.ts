import { z } from "zod";
import { route } from "./route.ts";
import { count, isoTime } from "./shapes.ts";

/** What people are told about a job, or a sweep that has ended. */
export const noticeEvents = ["done", "failed", "stalled", "best"] as const;
export const noticeEvent = z
  .enum(noticeEvents)
  .describe(
    "done: the job has succeeded, or the sweep has ended; failed: the job has failed, or no job of the sweep " +
      "succeeded; stalled: a rank stands still; best: no earlier job on its dataset has as good a result",
  );
export type NoticeEvent = z.infer<typeof noticeEvent>;

export const noticeAnswer = z
  .object({
    number: count.describe("Counts 1, 2, 3 … over all projects"),
    event: noticeEvent,
    message: z.string(),
    projectId: z.string(),
    jobId: z.string().nullable().describe("Null: it is about the sweep as a whole"),
    sweepId: z.string().nullable().describe("The sweep that has ended"),
    at: isoTime,
    isRead: z.boolean(),
  })
  .meta({ id: "Notice" });
export type NoticeAnswer = z.infer<typeof noticeAnswer>;

export const noticesAnswer = z
  .object({
    items: z.array(noticeAnswer).describe("The newest first"),
    unread: count.describe("How many of all that are kept this user has not read"),
  })
  .meta({ id: "Notices" });
export type NoticesAnswer = z.infer<typeof noticesAnswer>;

const tag = "notifications";

export const noticeRoutes = {
  listNotices: route({
    method: "GET",
    path: "/v1/notices",
    tag,
    summary: "The newest notices about jobs, and how many are unread",
    query: z.object({ first: z.coerce.number().int().min(1).max(100).default(30) }),
    answers: { 200: noticesAnswer },
  }),
  readNotices: route({
    method: "POST",
    path: "/v1/notices/read",
    tag,
    summary: "Marks notices as read, for the user who asks",
    body: z.strictObject({ upTo: count.describe("The number of the newest notice that was read") }),
    answers: { 200: noticesAnswer },
  }),
};
