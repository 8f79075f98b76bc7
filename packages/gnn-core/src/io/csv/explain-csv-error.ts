import { GnnError } from "../../errors/gnn-error.ts";
import { unpackedBytes, withoutLines } from "../text-file.ts";
import type { CsvDialect } from "./open-csv.ts";
import { type BadRecord, CsvScanner } from "./scan-csv.ts";

const shown = 20;

/** Goes through a CSV file that DuckDB refused and says where it is wrong: every bad row, with its line. */
export async function explainCsvError(dialect: CsvDialect, cause: unknown): Promise<GnnError> {
  const { name: file, compression, numColumns } = dialect;
  const { bad, count } = compression === "zstd" ? { bad: [], count: 0 } : await badRecords(dialect, compression);
  const [first] = bad;
  if (!first) return fromDuckDb(file, cause);
  const others = bad.slice(1).map(({ line }) => line);
  const more = count > bad.length ? ", …" : "";
  const rest =
    others.length > 0 ? ` ${count} rows are wrong in all; the others are on lines ${others.join(", ")}${more}.` : "";
  const place = { file, line: first.line };
  if (first.problem === "fields") {
    const message = `${file}, line ${first.line}: found ${first.numFields} columns, expected ${numColumns} as in the first line.${commentHint(first)}${rest}`;
    return new GnnError("DATASET_ROW_INVALID", message, { cause, place });
  }
  const found = first.problem === "quote" ? "text follows a closing quote" : "a quote is opened and never closed";
  const message = `${file}, line ${first.line}: ${found}; ${howToQuote(dialect)}.${rest}`;
  return new GnnError("DATASET_ROW_INVALID", message, { cause, place });
}

function howToQuote({ escape }: CsvDialect): string {
  return escape === "\\"
    ? "write a backslash before each quote inside a quoted value, as in the first rows"
    : "write a quote inside a quoted value twice, or choose the backslash if one stands before each";
}

function commentHint({ isLikeComment }: BadRecord): string {
  if (!isLikeComment) return "";
  return " The line begins as a comment does; comments are skipped above the header alone: remove it.";
}

async function badRecords(
  { path, delimiter, skipLines, numColumns, escape }: CsvDialect,
  compression: "none" | "gzip",
): Promise<{ bad: BadRecord[]; count: number }> {
  const bad: BadRecord[] = [];
  let count = 0;
  const scanner = new CsvScanner(
    delimiter,
    (line, numFields, problem, isLikeComment) => {
      const isBlank = numFields === 0;
      if (!problem && (isBlank || numFields === numColumns)) return;
      count++;
      if (bad.length < shown)
        bad.push({ line: skipLines + line, numFields, problem: problem ?? "fields", isLikeComment });
    },
    escape,
  );
  for await (const chunk of withoutLines(unpackedBytes(path, compression), skipLines)) scanner.push(chunk);
  scanner.end();
  return { bad, count };
}

/** DuckDB's own words name its settings, which nobody here can change: only the line and the kind are kept. */
function fromDuckDb(file: string, cause: unknown): GnnError {
  const text = cause instanceof Error ? cause.message : "";
  const line = Number(/CSV Error on Line: (\d+)/.exec(text)?.[1] ?? Number.NaN);
  const place = Number.isNaN(line) ? { file } : { file, line };
  const at = Number.isNaN(line) ? file : `${file}, line ${line}`;
  const columns = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(text);
  if (columns) {
    const message = `${at}: found ${columns[2]} columns, expected ${columns[1]} as in the first line.`;
    return new GnnError("DATASET_ROW_INVALID", message, { cause, place });
  }
  if (text.includes("Invalid unicode")) {
    const message = `${at}: its bytes are not UTF-8; save the file as UTF-8, or choose its encoding, such as windows-1252.`;
    return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place });
  }
  if (text.includes("Maximum line size")) {
    const message = `${at}: a line is longer than 16 MiB; expected delimited text.`;
    return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place });
  }
  const message = `${at} is not delimited text throughout; look for mixed line endings and unbalanced quotes.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause, place });
}
