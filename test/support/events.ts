import type { JobEvent } from "@hopwise/client";
import type { Client } from "./client.ts";

export interface ServerEvent {
  readonly id: string;
  readonly type: JobEvent["type"];
  readonly attempt: number;
  /** The event's own fields; cursor and time lie around it. */
  readonly data: Record<string, unknown>;
}

/** Follows a job to its end through broken connections: each time after the last event seen. */
export async function followToTheEnd(
  client: Client,
  jobId: string,
  onEvent: (event: ServerEvent) => void = () => undefined,
): Promise<ServerEvent[]> {
  const seen: ServerEvent[] = [];
  for await (const event of client.api.events("GET /v1/jobs/:id/events", { params: { id: jobId } })) {
    const { cursor: id, type, attempt, body: data } = event;
    seen.push({ id, type, attempt, data });
    onEvent({ id, type, attempt, data });
  }
  return seen;
}
