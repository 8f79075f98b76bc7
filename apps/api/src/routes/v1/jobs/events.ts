import { Readable } from "node:stream";
import { isTerminal, jobEventRoutes as routes } from "@hopwise/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseCursor } from "../../../events/cursor.ts";
import type { PersistedJobEvent } from "../../../job-state/job-event.ts";
import { getJob } from "../../../jobs/job-queries.ts";
import { credentialOfRequest, viewerOf } from "../../../plugins/auth.ts";
import { presentJobEvent } from "../../../rest/present/present-job-event.ts";
import { serve } from "../../../rest/serve.ts";
import type { Services } from "../../../services.ts";

/** Proxies close connections that say nothing for a minute or so. */
const heartbeatMs = 15_000;

/** GET /v1/jobs/:id/events: the subscription `jobEvents` as server-sent events. */
export async function jobEventRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  serve(app, routes.followJob, async (request, reply) => {
    const job = await getJob(services, viewerOf(request), request.params.id);
    const after = parseCursor(lastEventId(request) ?? request.query.after, job.cursor);
    // 204 tells an EventSource not to connect again: there is nothing more to come.
    if (isTerminal(job.state) && after >= job.cursor) return reply.code(204).send();
    const release = services.streams.take(credentialOfRequest(request)?.hash ?? "");
    const gone = new AbortController();
    reply.raw.once("close", () => {
      release();
      gone.abort();
    });
    const stop = AbortSignal.any([gone.signal, closing.signal]);
    const events = services.jobEvents.jobEvents(job.id, after, stop);
    return (
      reply
        .type("text/event-stream; charset=utf-8")
        // No keep-alive behind it: a connection that has been a stream would hold up the server's end.
        .headers({ "cache-control": "no-store", "x-accel-buffering": "no", connection: "close" })
        .send(Readable.from(withHeartbeats(events, heartbeatMs), { objectMode: false }))
    );
  });
}

function lastEventId(request: FastifyRequest): string | undefined {
  const header = request.headers["last-event-id"];
  return typeof header === "string" ? header : undefined;
}

/** The events as text of an event stream, with a comment line whenever none came for a while. */
export async function* withHeartbeats(
  events: AsyncGenerator<PersistedJobEvent, void, void>,
  everyMs: number,
): AsyncGenerator<string, void, void> {
  try {
    yield "retry: 1000\n\n";
    for (let next = events.next(); ; ) {
      const result = await orSilence(next, everyMs);
      if (result === "silence") {
        yield ": still here\n\n";
        continue;
      }
      if (result.done) return;
      yield format(result.value);
      next = events.next();
    }
  } finally {
    await events.return();
  }
}

function format(event: PersistedJobEvent): string {
  const data = JSON.stringify(presentJobEvent(event));
  return `id: ${event.cursor}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

/** What comes first: the value, or `ms` without it. */
async function orSilence<T>(value: Promise<T>, ms: number): Promise<T | "silence"> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(resolve, ms, "silence");
  });
  return Promise.race([value, silence]).finally(() => clearTimeout(timer));
}
