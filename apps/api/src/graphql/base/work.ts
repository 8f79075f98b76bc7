import { AppError, limits } from "@hopwise/contracts";
import { inTurn } from "../../requests/in-turn.ts";

/** Resolvers of one operation that ask the database at once: the line there is the same for everybody. */
const mostAsking = 2;

/**
 * The work of one operation: its resolvers take turns with other requests, and go on until its deadline has passed or
 * its answer has become too long.
 */
export class Work {
  readonly signal: AbortSignal;
  #charactersLeft: number = limits.answerCharacters;
  #numAsking = 0;
  readonly #waiting = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  resolve<T>(resolver: () => T | Promise<T>): T | Promise<T> {
    return inTurn(() => {
      this.signal.throwIfAborted();
      return resolver();
    });
  }

  /** For resolvers that ask the database: few of the operation at once. */
  async ask<T>(resolver: () => T | Promise<T>): Promise<T> {
    if (this.#numAsking >= mostAsking) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    else this.#numAsking++;
    try {
      return await this.resolve(resolver);
    } finally {
      const [next] = this.#waiting;
      if (next) {
        this.#waiting.delete(next);
        next(); // it asks in our place
      } else this.#numAsking--;
    }
  }

  /** @throws AppError REQUEST_TOO_COSTLY when the answer has become too long */
  answerWith(value: unknown): void {
    this.#charactersLeft -= lengthOf(value, this.#charactersLeft);
    if (this.#charactersLeft >= 0) return;
    const most = `${Math.round(limits.answerCharacters / 1e6)} MB`;
    throw new AppError("REQUEST_TOO_COSTLY", `The answer would be longer than ${most}; ask for less at once.`);
  }
}

/** About what the value takes as JSON; not looked at further than `most`. */
function lengthOf(value: unknown, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 8;
  let length = 2;
  for (const [key, item] of Object.entries(value)) {
    length += (Array.isArray(value) ? 1 : key.length + 4) + lengthOf(item, most - length);
    if (length > most) break;
  }
  return length;
}
