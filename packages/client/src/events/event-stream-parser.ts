/** One message of a `text/event-stream`. */
export interface StreamMessage {
  /** The last id that the stream has given, in this message or an earlier one. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads a `text/event-stream` as it comes (HTML Living Standard §9.2.6). Comments are skipped. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #id = "";
  #event = "";
  #data: string[] = [];
  /** What the stream last asked to wait before connecting again; null: it has not said. */
  retryMs: number | null = null;

  /** The messages that these bytes complete. */
  push(bytes: Uint8Array): StreamMessage[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): StreamMessage | null {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch(): StreamMessage | null {
    const message = { id: this.#id, event: this.#event || "message", data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return isEmpty ? null : message;
  }
}
