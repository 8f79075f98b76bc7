import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { type Row, rowOfSeed } from "./row.ts";
import type { Run } from "./run-row.ts";

interface Line extends Run {
  readonly row: string;
  readonly seed: number;
  readonly settings: string;
}

/**
 * Trainings that are done, a JSON line each, so that hours of them survive an interruption and none is run twice. A
 * line counts only for the settings it was trained with: a row whose hyper-parameters, split or number of epochs
 * changed is trained anew. The engine is not among them: remove the file after a change that is to show in the figures.
 */
export class RecordedRuns {
  readonly #file: string | null;
  readonly #lines = new Map<string, Line>();

  /** @param file null: nothing is kept */
  constructor(file: string | null) {
    this.#file = file;
    if (file === null || !existsSync(file)) return;
    const text = readFileSync(file, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    // The benchmark was killed while it wrote its last line.
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole));
    for (const written of whole.split("\n").filter(Boolean)) {
      const line = JSON.parse(written) as Line;
      this.#lines.set(keyOf(line), line);
    }
  }

  find(row: Row, seed: number, epochs: number | null): Run | undefined {
    return this.#lines.get(keyOf({ row: row.name, seed, settings: settingsOf(row, seed, epochs) }));
  }

  add(row: Row, seed: number, epochs: number | null, run: Run): void {
    const line: Line = { row: row.name, seed, settings: settingsOf(row, seed, epochs), ...run };
    this.#lines.set(keyOf(line), line);
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

const keyOf = ({ row, seed, settings }: Pick<Line, "row" | "seed" | "settings">) => `${row} ${seed} ${settings}`;

/** What decides a training besides its seed and the engine, as a short hash. */
function settingsOf(row: Row, seed: number, epochs: number | null): string {
  const { data, metric, spec, split, splitColumn } = rowOfSeed(row, seed);
  const mapped = typeof data === "object" ? [data.name, data.spec(seed)] : data;
  const text = JSON.stringify([mapped, metric, spec, split ?? null, splitColumn?.(seed) ?? "split", epochs]);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
