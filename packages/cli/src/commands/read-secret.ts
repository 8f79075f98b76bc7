import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { CliStreams } from "../context.ts";

/** A line of standard input; from a terminal it is asked for, and not shown as it is typed. */
export async function readSecret({ stdin, stderr, signal }: CliStreams, asked: string): Promise<string> {
  const isTyped = stdin.isTTY === true;
  if (isTyped) stderr.write(`${asked}: `);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden, terminal: isTyped, signal } as Parameters<
    typeof createInterface
  >[0]);
  try {
    for await (const line of lines) return line;
    return "";
  } finally {
    lines.close();
    if (isTyped) stderr.write("\n");
  }
}
