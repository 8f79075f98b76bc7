import { chunksOf, type Patience } from "../body-chunks.ts";
import { ProblemError } from "../problem-error.ts";
import { backoffMs, isPassing, wait } from "../retry.ts";
import { EventStreamParser } from "./event-stream-parser.ts";

const defaultRetryMs = 1000;

/** Opens the stream behind the message of this id; null: from where the call says. */
type OpenStream = (lastEventId: string | null, signal: AbortSignal) => Promise<Response>;

/**
 * The data of a stream's messages, through as many connections as it takes: each goes on behind the last message that
 * arrived whole, so that none is lost and none comes twice. Ends when the API answers with 204, or the reader stops.
 *
 * @throws ProblemError when the API refuses; the signal's reason
 */
export async function* followEvents(
  open: OpenStream,
  { signal, silenceMs }: Patience = {},
): AsyncGenerator<string, void, void> {
  let lastId: string | null = null;
  let retryMs = defaultRetryMs;
  for (let failures = 0; ; ) {
    const connection = new AbortController();
    const parser = new EventStreamParser();
    const ended = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
    let error: ProblemError | null = null;
    try {
      const response = await open(lastId, ended);
      if (response.status === 204) return;
      for await (const chunk of chunksOf(response, { signal, silenceMs })) {
        for (const { id, data } of parser.push(chunk)) {
          failures = 0;
          if (id !== "") lastId = id;
          yield data;
        }
      }
    } catch (caught) {
      signal?.throwIfAborted();
      if (!(caught instanceof ProblemError) || !isPassing(caught.problem.status)) throw caught;
      error = caught;
    } finally {
      connection.abort();
    }
    retryMs = parser.retryMs ?? retryMs;
    failures += 1;
    // A stream that brought something and was closed in order is asked at once whether there is more.
    if (error !== null || failures > 1) await wait(error?.retryAfterMs ?? backoffMs(failures, retryMs), signal);
  }
}
