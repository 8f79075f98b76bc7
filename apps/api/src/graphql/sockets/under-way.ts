import { noLongerAsked } from "../../requests/gone-signal.ts";

/** What is being answered on one socket, by the ids that its other side gave. */
export class UnderWay {
  readonly #waited = new Map<string, AbortController>();
  #isClosed = false;

  /** Aborted with CANCELLED when the other side no longer waits for the answer. */
  begin(id: string): AbortSignal {
    const gone = new AbortController();
    if (this.#isClosed) gone.abort(noLongerAsked());
    else this.#waited.set(id, gone);
    return gone.signal;
  }

  /** The answer is there. The other side may have given the id to another operation since. */
  end(id: string, signal: AbortSignal): void {
    if (this.#waited.get(id)?.signal === signal) this.#waited.delete(id);
  }

  /** Looks for a message that gives an operation up: `complete`, sent by the side that asked. */
  note(message: unknown): void {
    const { type, id } = (message ?? {}) as { readonly type?: unknown; readonly id?: unknown };
    if (type !== "complete" || typeof id !== "string") return;
    this.#waited.get(id)?.abort(noLongerAsked());
    this.#waited.delete(id);
  }

  /** The socket is closed. */
  close(): void {
    this.#isClosed = true;
    for (const gone of this.#waited.values()) gone.abort(noLongerAsked());
    this.#waited.clear();
  }
}
