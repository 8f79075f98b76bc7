import { z } from "zod";
import { type JobEventType, jobEventBodies } from "../events/job-event.ts";
import { route } from "./route.ts";
import { count, idParams } from "./shapes.ts";
import { shownMember, shownMemberOrNone } from "./shown-member.ts";

const place = { cursor: z.string(), at: z.iso.datetime(), attempt: count, stageIndex: count.nullable() };

function eventOf<T extends JobEventType, B extends z.ZodObject>(type: T, body: B) {
  return z.object({ type: z.literal(type), body, ...place });
}

const { JobStateChanged, StageProgressed, MetricsRecorded, RankUpdated, LogAppended, IncidentRaised, ArtifactReady } =
  jobEventBodies;

/** `data:` of one event: as it is stored, but for the names of members. */
export const jobEvent = z
  .discriminatedUnion("type", [
    eventOf("JobStateChanged", JobStateChanged),
    eventOf("StageProgressed", StageProgressed),
    eventOf("MetricsRecorded", MetricsRecorded),
    eventOf("RankUpdated", RankUpdated.extend(shownMember)),
    eventOf("LogAppended", LogAppended.extend(shownMember)),
    eventOf("IncidentRaised", IncidentRaised.extend(shownMemberOrNone)),
    eventOf("ArtifactReady", ArtifactReady),
  ])
  .meta({ id: "JobEvent" });
export type JobEvent = z.infer<typeof jobEvent>;

export const jobEventRoutes = {
  followJob: route({
    method: "GET",
    path: "/v1/jobs/:id/events",
    tag: "jobs",
    summary: "The job's events as server-sent events, from a cursor on; the stream ends with the job",
    params: idParams,
    query: z.object({ after: z.string().max(20).optional().describe("Cursor; `Last-Event-ID` goes before it") }),
    headers: z.object({ "last-event-id": z.string().optional() }),
    answers: {
      200: {
        description: "`id:` is the cursor, `event:` the type, `data:` a JobEvent as JSON",
        contentTypes: ["text/event-stream"],
        schemas: { "text/event-stream": jobEvent },
      },
      204: { description: "The job has ended, and there is no event behind the cursor" },
    },
  }),
};
