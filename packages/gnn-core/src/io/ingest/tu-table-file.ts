import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import type { NumberFile } from "../tu/side-by-side.ts";
import { numberRows } from "../tu/tu-numbers.ts";
import type { IngestContext } from "./ingest-context.ts";

/** How the tables are written that TU's files become, and how these are read where they are tables already. */
export const csv = { delimiter: ",", comment: "none", encoding: "utf-8", decimal: "." } as const;

/** Writes a table to the scratch folder; from now on it is read in place of the file of this name. */
export async function writeTable(
  { files, scratchDir, deadline }: IngestContext,
  name: string,
  rows: AsyncIterable<readonly (string | number)[]>,
): Promise<void> {
  const path = join(scratchDir, `table-${randomUUID()}.csv`);
  async function* text() {
    let piece = "";
    for await (const row of rows) {
      piece += `${row.map(cell).join(",")}\n`;
      if (piece.length < 1 << 16) continue;
      deadline.check(name);
      yield piece;
      piece = "";
    }
    yield piece;
  }
  await pipeline(Readable.from(text()), createWriteStream(path));
  files.replace(name, { name, path, bytes: (await stat(path)).size });
}

function cell(value: string | number): string {
  return typeof value === "number" ? String(value) : `"${value.replaceAll('"', '""')}"`;
}

export function names(stem: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => (count === 1 ? stem : `${stem}${i + 1}`));
}

export async function numberFile({ files }: IngestContext, name: string): Promise<NumberFile> {
  const { path } = await files.find(name);
  return { name, path };
}

export async function optional(context: IngestContext, name: string | null): Promise<NumberFile | null> {
  return name === null ? null : numberFile(context, name);
}

/** How many numbers the first line has */
export async function widthOf({ path, name }: NumberFile): Promise<number> {
  for await (const { values } of numberRows(path, name)) return values.length;
  return 0;
}

export async function requireWidth(file: NumberFile, expected: number): Promise<void> {
  const found = await widthOf(file);
  if (found === expected) return;
  const message = `${file.name}, line 1: ${found} values; expected ${expected}, one for each name.`;
  throw new GnnError("DATASET_ROW_INVALID", message, { place: { file: file.name, line: 1 } });
}
