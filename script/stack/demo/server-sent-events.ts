/** One message of a `text/event-stream`. */
export interface ServerSentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Splits a `text/event-stream` body into its messages (HTML Living Standard, 9.2). Comments are skipped. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const message = parseMessage(part);
      if (message.data !== "") yield message;
    }
  }
}

function parseMessage(text: string): ServerSentEvent {
  const fields = { id: "", event: "message", data: "" };
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (name === "data") fields.data += fields.data ? `\n${value}` : value;
    else if (name === "id" || name === "event") fields[name] = value ?? "";
  }
  return fields;
}
