import type { ApiClient } from "../api-client.ts";
import { readServerSentEvents } from "./server-sent-events.ts";

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly file?: string;
  readonly line?: number;
}

export interface StageProgress {
  readonly kind: string;
  readonly state: string;
  readonly cached: boolean;
  readonly phase: string | null;
  readonly completed: number | null;
  readonly total: number | null;
  readonly unit: string | null;
  readonly etaSeconds: number | null;
}

/** The job events that the demo shows; there are others. */
export type JobEvent =
  | { readonly type: "JobStateChanged"; readonly body: { readonly state: string; readonly problem: Problem | null } }
  | { readonly type: "StageProgressed"; readonly body: StageProgress }
  | { readonly type: "MetricsRecorded"; readonly body: { readonly values: readonly Value[] } }
  | { readonly type: "IncidentRaised"; readonly body: { readonly code: string; readonly message: string } };

interface Value {
  readonly name: string;
  readonly value: number | null;
}

const finalStates = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);
const reconnectMs = 500;

/**
 * Follows a job to its end by SSE; a broken connection goes on after the last cursor.
 *
 * @throws Error with the job's problem when it does not succeed
 */
export async function followJob(api: ApiClient, jobId: string, onEvent: (event: JobEvent) => void): Promise<void> {
  let cursor = "";
  for (;;) {
    try {
      for await (const { id, data } of await openStream(api, jobId, cursor)) {
        cursor = id || cursor;
        const event = JSON.parse(data) as JobEvent;
        onEvent(event);
        if (event.type === "JobStateChanged" && finalStates.has(event.body.state)) return judge(event.body);
      }
    } catch (error) {
      // fetch's word for a connection that broke or was refused: the API is being started again.
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, reconnectMs));
  }
}

async function openStream(api: ApiClient, jobId: string, cursor: string) {
  const headers = { accept: "text/event-stream", ...(cursor && { "last-event-id": cursor }) };
  const { body } = await api.fetch(`/v1/jobs/${jobId}/events`, { headers });
  if (!body) throw new Error("The event stream has no body.");
  return readServerSentEvents(body);
}

function judge({ state, problem }: { state: string; problem: Problem | null }): void {
  if (state === "SUCCEEDED") return;
  const place = problem?.file ? ` (${problem.file}${problem.line ? `, line ${problem.line}` : ""})` : "";
  throw new Error(`The job ended ${state}. ${problem ? `${problem.code}: ${problem.detail}${place}` : ""}`);
}
