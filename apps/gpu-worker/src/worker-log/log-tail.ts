import { limits, type WorkerLogLine } from "@hopwise/contracts";
import { logLineOf } from "./log-line.ts";
import type { Redaction } from "./redaction.ts";

/** One of the two halves of the log, as it is to lie in Redis under the key of its number. */
export interface Segment {
  readonly number: 0 | 1;
  readonly lines: readonly string[];
  readonly bytes: number;
}

interface Half {
  number: 0 | 1;
  lines: string[];
  bytes: number;
}

/**
 * The newest lines of the worker's log, in two halves: when one is full the other is emptied and goes on. So between
 * one and two halves are kept, and each is only ever added to or begun anew.
 */
export class LogTail {
  readonly #redaction: Redaction;
  #current: Half = { number: 0, lines: [], bytes: 0 };
  #earlier: Half | null = null;
  #cursor = 0;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  /** Takes what pino writes: one line or several. */
  write(chunk: string): void {
    for (const text of chunk.split("\n")) {
      if (text === "") continue;
      const line = logLineOf(text, this.#nextCursor(), this.#redaction);
      if (line) this.#push(line);
    }
  }

  get segments(): readonly Segment[] {
    return this.#earlier ? [this.#earlier, this.#current] : [this.#current];
  }

  /** Puts what an earlier life of the worker left before everything that this one has said. */
  follow(earlier: readonly Segment[]): void {
    const last = earlier.toSorted((a, b) => lastCursor(a) - lastCursor(b)).at(-1);
    // One that has filled a half already has no room for it.
    if (!last || last.lines.length === 0 || this.#earlier) return;
    this.#earlier = { number: last.number, lines: [...last.lines], bytes: last.bytes };
    this.#current = { ...this.#renumbered(lastCursor(last)), number: other(last.number) };
  }

  /** What was said already, with cursors behind that one: the clock may stand where it did, or was set back. */
  #renumbered(cursor: number): Half {
    const { number, lines } = this.#current;
    const shift = Math.max(0, cursor + 1 - (cursorOf(lines[0]) || this.#cursor + 1));
    this.#cursor += shift;
    const texts = lines.map((line) => line.replace(cursorPattern, (_, at) => `{"cursor":${Number(at) + shift}`));
    return { number, lines: texts, bytes: Buffer.byteLength(texts.join("")) };
  }

  /** By the clock, so that it goes on after a restart; one more where that stands or was set back. */
  #nextCursor(): number {
    this.#cursor = Math.max(this.#cursor + 1, Date.now() * 1000);
    return this.#cursor;
  }

  #push(line: WorkerLogLine): void {
    const text = `${JSON.stringify(line)}\n`;
    const bytes = Buffer.byteLength(text);
    if (this.#current.bytes + bytes > limits.workerLogBytes) {
      this.#earlier = this.#current;
      this.#current = { number: other(this.#earlier.number), lines: [], bytes: 0 };
    }
    this.#current.lines.push(text);
    this.#current.bytes += bytes;
  }
}

function other(number: 0 | 1): 0 | 1 {
  return number === 0 ? 1 : 0;
}

const cursorPattern = /^\{"cursor":(\d+)/;

/** Zero: no line, or none that a worker's clock could have numbered. */
function cursorOf(line = ""): number {
  const cursor = Number(cursorPattern.exec(line)?.[1] ?? 0);
  return cursor < Number.MAX_SAFE_INTEGER / 2 ? cursor : 0;
}

function lastCursor({ lines }: Segment): number {
  return cursorOf(lines.at(-1));
}
