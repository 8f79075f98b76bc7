import { realpath } from "node:fs/promises";
import { type GnnErrorCode, gnnErrorCodes } from "../../errors/codes.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import { ReaderFailure } from "../reading-process.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { DatabaseFile, RowLines } from "./database-file.ts";
import { linesQuery } from "./duckdb-lines.ts";
import { attachedAs, type FromDuckDbReader, type ToDuckDbReader } from "./duckdb-messages.ts";
import { DuckDbReader } from "./duckdb-reader.ts";
import type { PlannedFile } from "./planned-files.ts";

/**
 * Opens the tables of a DuckDB database in a process of its own. Views are queries and are not run; what else is not
 * read is named in `notes`.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED, DEPENDENCY_MISSING
 */
export async function openDuckDbFile(
  { path, name, bytes }: UploadedFile,
  limits: ReadingLimits,
): Promise<DatabaseFile> {
  const reader = new DuckDbReader();
  const ask = (asked: ToDuckDbReader) =>
    reader.ask(asked).catch((error: unknown) => {
      throw error instanceof ReaderFailure ? explainedFailure(error, name, limits) : error;
    });
  try {
    // DuckDB follows links before it looks whether a path is allowed.
    const opened = await ask({ ask: "tables", path: await realpath(path), memoryBytes: limits.memoryBytes.most });
    const { tables, notes } = opened as Extract<FromDuckDbReader, { answer: "tables" }>;
    let unpacked = 0;
    async function* lines(planned: PlannedFile, most: number | null): AsyncGenerator<RowLines, void, undefined> {
      await ask({ ask: "read", query: linesQuery(attachedAs, tables[planned.table]!, planned, most) });
      for (;;) {
        const { lines: text, rows } = (await ask({ ask: "next" })) as Extract<FromDuckDbReader, { answer: "lines" }>;
        if (rows === 0) return;
        unpacked += text.length;
        checkUnpacked(name, bytes, unpacked, limits);
        yield { lines: text, rows };
      }
    }
    return { tables, notes: tables.length === 0 ? [...notes, noTables] : notes, lines, close: () => reader.close() };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

const noTables =
  "it has no tables. What DuckDB has not yet written into the file lies in the file .wal beside it: run CHECKPOINT before you copy it.";

/** DuckDB's words name places on this host and parts of its program: they are the cause, and not said. */
export function explainedFailure(failure: ReaderFailure, file: string, limits: ReadingLimits): GnnError {
  const { code, endedBy, message: words } = failure;
  if (code !== null && code in gnnErrorCodes) return new GnnError(code as GnnErrorCode, words, { cause: failure });
  if (/out of memory|failed to allocate|bad_alloc|cannot resize vector/i.test(words) || endedBy === "SIGKILL")
    return overLimit(file, "its rows need more bytes of memory than they may have", limits.memoryBytes);
  return new GnnError("DATASET_FORMAT_INVALID", `${file} ${objection(words, endedBy)}`, {
    cause: failure,
    place: { file },
  });
}

function objection(words: string, endedBy: string | null): string {
  const [, version, oldest, newest] = /version number (\d+), but .* between (\d+) and (\d+)/.exec(words) ?? [];
  if (version !== undefined) {
    const instead =
      Number(version) > Number(newest)
        ? `Write a copy with the program of DuckDB that wrote it: ATTACH 'copy.duckdb' AS copy (STORAGE_VERSION 'v1.0.0'); COPY FROM DATABASE shop TO copy, where shop is what it calls the database`
        : "Write its tables with the program of DuckDB that wrote it, EXPORT DATABASE 'folder' (FORMAT parquet), and upload these";
    return `is a DuckDB database of the storage version ${version}; versions ${oldest} to ${newest} are read. ${instead}.`;
  }
  if (/encrypt/i.test(words))
    return "is an encrypted DuckDB database. Write a copy without a key: ATTACH 'copy.duckdb' AS copy; COPY FROM DATABASE shop TO copy, where shop is what it is attached as.";
  if (/^More than \d+ tables$/.test(words))
    return `is a DuckDB database with ${words.toLowerCase()}. Upload a copy that has those of the graph alone.`;
  return `is a damaged DuckDB database: ${damage(words, endedBy)}. Run CHECKPOINT, close the program that writes it, and upload it again.`;
}

function damage(words: string, endedBy: string | null): string {
  if (endedBy !== null) return `the process that read it broke down (${endedBy})`;
  if (/checksum/i.test(words)) return "a block is not as it was written";
  if (/read enough bytes/i.test(words)) return "it is cut off";
  return "what it says of its tables is not understood";
}
