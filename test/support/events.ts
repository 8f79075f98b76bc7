import type { Client } from "./client.ts";

export interface ServerEvent {
  readonly id: string;
  readonly type: string;
  readonly attempt: number;
  /** The event's own fields; cursor and time lie around it. */
  readonly data: Record<string, unknown>;
}

/** Reads the job's server-sent events after a cursor, until the stream ends or breaks. */
export async function* serverEvents(client: Client, jobId: string, after = "0"): AsyncGenerator<ServerEvent> {
  const headers = { ...client.headers, "last-event-id": after, accept: "text/event-stream" };
  const answer = await fetch(`${client.url}/v1/jobs/${jobId}/events`, { headers });
  if (!answer.ok || !answer.body) throw new Error(`events of ${jobId}: ${answer.status}`);
  let pending = "";
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    const parts = (pending + chunk).split("\n\n");
    pending = parts.pop() ?? "";
    yield* parts.map(parseEvent).filter((event) => event !== null);
  }
}

function parseEvent(text: string): ServerEvent | null {
  const fields = new Map(
    text
      .split("\n")
      .filter((line) => !line.startsWith(":"))
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const id = fields.get("id");
  const data = fields.get("data");
  if (!id || !data) return null;
  const { attempt, body } = JSON.parse(data);
  return { id, type: fields.get("event") ?? "message", attempt, data: body };
}

/** Follows a job to its end through broken connections, as a browser does: each time after the last event seen. */
export async function followToTheEnd(
  client: Client,
  jobId: string,
  onEvent: (event: ServerEvent) => void = () => undefined,
): Promise<ServerEvent[]> {
  const seen: ServerEvent[] = [];
  for (;;) {
    try {
      for await (const event of serverEvents(client, jobId, seen.at(-1)?.id)) {
        seen.push(event);
        onEvent(event);
      }
      if (hasEnded(seen.at(-1))) return seen;
    } catch {
      // The API is away; it will be back.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const hasEnded = (event: ServerEvent | undefined) =>
  event?.type === "JobStateChanged" && ["SUCCEEDED", "FAILED", "CANCELLED"].includes(String(event.data.state));
