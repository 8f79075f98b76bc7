import { unpackedBytes, withoutLines } from "../text-file.ts";
import type { CsvDialect } from "./open-csv.ts";
import { CsvScanner } from "./scan-csv.ts";

/** The 1-based line on which data row `row` (from 0) starts: rows with quoted line breaks take several lines. */
export async function lineOfCsvRow(dialect: CsvDialect, row: number): Promise<number> {
  const { path, compression, delimiter, header, skipLines, numColumns, escape } = dialect;
  const nominal = row + (header ? 2 : 1);
  // Node 20 cannot unpack zstd; the count of rows is then the best there is.
  if (compression === "zstd") return skipLines + nominal;
  let left = nominal;
  let found = 0;
  const scanner = new CsvScanner(
    delimiter,
    (line, numFields) => {
      const isRecord = numFields > 0 || numColumns === 1;
      if (isRecord && left > 0 && --left === 0) found = skipLines + line;
    },
    escape,
  );
  for await (const chunk of withoutLines(unpackedBytes(path, compression), skipLines)) {
    scanner.push(chunk);
    if (found > 0) return found;
  }
  scanner.end();
  return found > 0 ? found : skipLines + nominal;
}
