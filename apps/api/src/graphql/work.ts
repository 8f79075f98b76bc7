import { setImmediate } from "node:timers/promises";
import { AppError, limits } from "@hopwise/contracts";

/** How long resolvers of all requests together may go on before what else waits in the event loop has its turn. */
const sliceMs = 15;
let sliceBegan = 0;
let turn: Promise<void> | null = null;

/**
 * The work of one operation: resolvers go on with it until its deadline has passed or its answer has become too large,
 * and give way to other requests every few milliseconds.
 */
export class Work {
  readonly signal: AbortSignal;
  #charactersLeft: number = limits.answerCharacters;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** @returns a promise when it is others' turn, else null: most fields need not wait */
  mayGoOn(): Promise<void> | null {
    this.signal.throwIfAborted();
    return performance.now() - sliceBegan < sliceMs ? null : this.#giveWay();
  }

  /** @throws AppError REQUEST_TOO_COSTLY when the answer has become too long */
  answerWith(value: unknown): void {
    this.#charactersLeft -= lengthOf(value, this.#charactersLeft);
    if (this.#charactersLeft >= 0) return;
    const most = `${Math.round(limits.answerCharacters / 1e6)} MB`;
    throw new AppError("REQUEST_TOO_COSTLY", `The answer would be longer than ${most}; ask for less at once.`);
  }

  async #giveWay(): Promise<void> {
    while (performance.now() - sliceBegan >= sliceMs) {
      turn ??= nextTurn();
      await turn;
    }
    this.signal.throwIfAborted();
  }
}

async function nextTurn(): Promise<void> {
  await setImmediate();
  sliceBegan = performance.now();
  turn = null;
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
