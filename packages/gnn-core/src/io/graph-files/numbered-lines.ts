import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A line of a text, counted from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** The lines of a text that comes in pieces, without their ends. */
export async function* numberedLines(text: AsyncIterable<string>): AsyncIterable<NumberedLine> {
  let number = 0;
  const lines = createInterface({ input: Readable.from(text), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    number++;
    yield { number, text: number === 1 ? line.replace(/^\ufeff/, "") : line };
  }
}
