import { readFile, realpath, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkColumns, checkRows, checkUnpacked, type ReadingLimits } from "../limits/reading-limits.ts";
import { ReaderFailure } from "../reading-process.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import { explainedFailure } from "./duckdb-database.ts";
import type { FromDuckDbReader, OwnQuery, ToDuckDbReader } from "./duckdb-messages.ts";
import { DuckDbReader } from "./duckdb-reader.ts";

const mostQueryBytes = 100_000;
const lookEveryMs = 250;

/** A database that is asked somebody's own queries, in a process of its own. */
export interface DatabaseQueries {
  readonly notes: readonly string[];
  /**
   * The answer of a query as lines of JSON, an object each, in pieces.
   *
   * @param most how many rows are wanted; null: all
   */
  lines(query: OwnQuery, most: number | null, notes: string[]): AsyncGenerator<string, void, undefined>;
  close(): Promise<void>;
}

interface Opening {
  readonly kind: "sqlite" | "duckdb";
  readonly database: UploadedFile;
  readonly queries: readonly OwnQuery[];
  /** A folder in which a copy may lie until the end */
  readonly dir: string;
  readonly limits: ReadingLimits;
  /** Called while a query is at work; may throw to end it */
  readonly check: (file: string) => void;
}

/**
 * Opens a file that is a database, and looks through all queries on it.
 *
 * @throws GnnError DATASET_FORMAT_INVALID with the query's file and line, DATASET_LIMIT_EXCEEDED, DEPENDENCY_MISSING;
 * what `check` throws
 */
export async function openQueries(opening: Opening): Promise<DatabaseQueries> {
  const { kind, database, queries, dir, limits, check } = opening;
  const reader = new DuckDbReader();
  const copyPath = join(await realpath(dir), "copied-tables.duckdb");
  const close = async () => {
    await reader.close();
    for (const path of [copyPath, `${copyPath}.wal`]) await rm(path, { force: true });
  };
  const ask = async (asked: ToDuckDbReader, file: string) => {
    const answered = reader.ask(asked).catch((error: unknown) => {
      throw error instanceof ReaderFailure ? failureOf(error, file, limits) : error;
    });
    return watched(answered, () => check(file));
  };
  try {
    const path = await realpath(database.path);
    const opened = await ask(
      { ask: "queries", kind, path, name: database.name, limits, copyPath, queries },
      database.name,
    );
    let unpacked = 0;
    async function* lines(query: OwnQuery, most: number | null, notes: string[]) {
      const begun = (await ask({ ask: "run", query, most }, query.file)) as Answer<"running">;
      checkColumns(query.file, begun.numColumns, limits);
      notes.push(...begun.notes);
      for (let rows = 0; ; ) {
        const piece = (await ask({ ask: "next" }, query.file)) as Answer<"lines">;
        if (piece.rows === 0) return;
        rows += piece.rows;
        unpacked += piece.lines.length;
        checkRows(query.file, rows, limits);
        checkUnpacked(query.file, database.bytes, unpacked, limits);
        yield piece.lines;
      }
    }
    return { notes: (opened as Answer<"opened">).notes, lines, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Answer<A extends FromDuckDbReader["answer"]> = Extract<FromDuckDbReader, { answer: A }>;

/** The text of a query, which is short. @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
export async function readQuery({ name, path }: UploadedFile): Promise<OwnQuery> {
  const { size } = await stat(path);
  const invalid = (found: string, code: "DATASET_FORMAT_INVALID" | "DATASET_LIMIT_EXCEEDED") =>
    new GnnError(code, `${name} ${found}`, { place: { file: name } });
  if (size > mostQueryBytes)
    throw invalid(
      `has ${size} bytes; a query on the database beside it may have ${mostQueryBytes}. Upload what is no query by itself.`,
      "DATASET_LIMIT_EXCEEDED",
    );
  try {
    return { file: name, text: new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path)) };
  } catch {
    throw invalid("is not UTF-8; expected the text of a query on the database beside it.", "DATASET_FORMAT_INVALID");
  }
}

/** Waits for an answer, and looks meanwhile whether there is still time for it. */
async function watched<T>(answer: Promise<T>, check: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      try {
        check();
      } catch (error) {
        reject(error);
      }
    }, lookEveryMs);
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, ended]);
  } finally {
    clearInterval(timer);
  }
}

function failureOf(failure: ReaderFailure, file: string, limits: ReadingLimits): GnnError {
  const { code, endedBy, message } = failure;
  if (endedBy !== null && endedBy !== "SIGKILL") {
    const words = `${file}: the process that was at work on it broke down (${endedBy}). Ask for less, or in another way.`;
    return new GnnError("DATASET_FORMAT_INVALID", words, { cause: failure, place: { file } });
  }
  const explained = explainedFailure(failure, file, limits);
  // An error of the process's own names the file of a query, and perhaps a line, in front.
  const [, named, line] = (code !== null && /^(.*?\.sql)(?:, line (\d+))?: /i.exec(message)) || [];
  if (named === undefined) return explained;
  const place = { file: named, ...(line !== undefined && { line: Number(line) }) };
  return new GnnError(explained.code, message, { cause: failure, place });
}
