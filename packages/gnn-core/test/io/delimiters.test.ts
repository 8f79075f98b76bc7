import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCsv } from "../../src/io/csv/open-csv.ts";
import { detectDialect } from "../../src/io/dialect/detect-dialect.ts";
import { delimiters, hasQuotes } from "../../src/io/dialect/dialect.ts";
import { defaultReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { temporaryDir } from "../support/run-step.ts";

const quoted = (field: string) => `"${field}"`;

/** More rows than are looked at to find the delimiter */
const rows = Array.from({ length: 500 }, (_, i) => [`n${i}`, `word ${i % 7}`, String(i / 2), i % 3 === 0 ? "" : "x"]);

async function tableOf(lines: readonly string[]) {
  const path = join(await temporaryDir("delimiters"), "table.txt");
  await writeFile(path, lines.map((line) => `${line}\n`).join(""));
  return openCsv(path, { delimiter: "auto" }, "table.txt", defaultReadingLimits);
}

async function rowsOf(lines: readonly string[]): Promise<string[][]> {
  const table = await tableOf(lines);
  const found: string[][] = [];
  for await (const { numRows, columns } of table.read(table.columns.map(({ name }) => ({ name, as: "text" as const }))))
    for (let row = 0; row < numRows; row++) found.push(columns.map((column) => String(column[row] ?? "")));
  await table.close();
  return found;
}

describe.each(delimiters.map((delimiter) => [delimiter]))("a table between %j", (delimiter) => {
  it("is found as one, and gives the fields that were written", async () => {
    const text = rows.map((fields) => `${fields.join(delimiter)}\n`).join("");
    expect(detectDialect({ text, isWhole: true }).delimiter).toBe(delimiter);
    expect(await rowsOf(rows.map((fields) => fields.join(delimiter)))).toEqual(rows);
  });

  it("names the line of a row that lacks a field", async () => {
    const lines = rows.map((fields) => fields.join(delimiter));
    lines[321] = `a${delimiter}b`;
    const reading = rowsOf(lines);
    await expect(reading).rejects.toThrow("table.txt, line 322: found 2 columns, expected 4");
  });
});

const [quoting, plain] = [true, false].map((has) => delimiters.filter((delimiter) => hasQuotes(delimiter) === has));

it.each(quoting!)("%j within quotes is a part of the field", async (delimiter) => {
  const within = rows.map(([id, , ...rest]) => [id!, `a${delimiter}b`, ...rest]);
  const lines = within.map((fields) => fields.map(quoted).join(delimiter));
  expect(await rowsOf(lines)).toEqual(within);
});

it.each(plain!)("quotes between %j are a part of the field", async (delimiter) => {
  const within = rows.map(([id, , ...rest]) => [id!, '"a" b', ...rest]);
  expect(await rowsOf(within.map((fields) => fields.join(delimiter)))).toEqual(within);
});
