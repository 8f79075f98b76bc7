import { z } from "zod";
import { jobEvent } from "../events/job-event.ts";
import { route } from "./route.ts";
import { idParams } from "./shapes.ts";

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
