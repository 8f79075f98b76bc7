import type { Registry } from "../../components/registry.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Uploads } from "../archives/uploads.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { StepProgress } from "../step-progress.ts";
import type { IntegerBatch, TableBatch, TableSource } from "../table-source.ts";
import { openTable, type ReaderChoice } from "../uploaded-files.ts";
import type { PlainColumn, WantedColumn } from "../wanted-column.ts";

/** What every part of one ingest works with. */
export interface IngestContext {
  readonly files: Uploads;
  readonly registry: Registry;
  readonly outDir: string;
  /** Copies of files in other forms, removed when the step ends */
  readonly scratchDir: string;
  readonly progress: StepProgress;
  readonly limits: ReadingLimits;
  readonly deadline: Deadline;
  /** What of the files is no row; told in the report */
  readonly notes: Set<string>;
  /** Closes files that a failed ingest leaves half-written. */
  readonly onFailure: (() => Promise<void>)[];
}

export interface TableSection {
  readonly files: readonly string[];
  readonly reader?: ReaderChoice | undefined;
}

/** Where a batch stands, so that any of its rows can be named in an error. */
export interface Placed {
  readonly file: string;
  readonly table: TableSource;
  /** Row of the file (from 0) that is the batch's first. */
  readonly firstRow: number;
}

export interface PlacedBatch extends TableBatch, Placed {
  readonly kind: "texts";
}

export interface PlacedIntegers extends IntegerBatch, Placed {
  readonly kind: "integers";
}

/** Streams the rows of all files of a section, in their order. */
export async function* readSection(
  context: IngestContext,
  section: TableSection,
  columns: readonly WantedColumn[],
  phase: string,
): AsyncIterable<PlacedBatch> {
  yield* eachFile(context, section, phase, (table, file) => readAll(table, file, columns));
}

/**
 * Reads as above; rows whose id columns hold short integers come as numbers for as long as the file allows it.
 *
 * @param columns the id columns first, as text; then number columns
 */
export async function* readIdRows(
  context: IngestContext,
  section: TableSection,
  columns: readonly PlainColumn[],
  phase: string,
): AsyncIterable<PlacedBatch | PlacedIntegers> {
  yield* eachFile(context, section, phase, (table, file) => readIntegersThenTexts(table, file, columns));
}

async function* eachFile<T extends { readonly numRows: number }>(
  context: IngestContext,
  section: TableSection,
  phase: string,
  read: (table: TableSource, file: string) => AsyncIterable<T>,
): AsyncIterable<T> {
  let rows = 0;
  for (const file of section.files) {
    const table = await openTable(context, await context.files.find(file), section.reader);
    for (const note of table.notes ?? []) context.notes.add(`${file}: ${note}`);
    try {
      for await (const batch of read(table, file)) {
        yield batch;
        rows += batch.numRows;
        context.deadline.check(file);
        context.progress.report(phase, rows, null, "rows");
      }
    } finally {
      await table.close();
    }
  }
  context.progress.report(phase, rows, rows, "rows");
}

async function* readIntegersThenTexts(
  table: TableSource,
  file: string,
  columns: readonly PlainColumn[],
): AsyncIterable<PlacedBatch | PlacedIntegers> {
  const namesAs = (as: PlainColumn["as"]) => columns.filter((column) => column.as === as).map(({ name }) => name);
  let firstRow = 0;
  const fast = table.readIntegers?.(namesAs("text"), namesAs("number"));
  if (fast) {
    for (;;) {
      const next = await fast.next();
      if (next.done) {
        if (next.value) return;
        break;
      }
      yield { kind: "integers", ...next.value, file, table, firstRow };
      firstRow += next.value.numRows;
    }
  }
  yield* readTexts(table, file, columns, firstRow);
}

async function* readAll(
  table: TableSource,
  file: string,
  columns: readonly WantedColumn[],
): AsyncIterable<PlacedBatch> {
  let firstRow = 0;
  for await (const batch of table.read(columns)) {
    yield { kind: "texts", ...batch, file, table, firstRow };
    firstRow += batch.numRows;
  }
}

/** Rows from `skip` on. */
async function* readTexts(
  table: TableSource,
  file: string,
  columns: readonly PlainColumn[],
  skip: number,
): AsyncIterable<PlacedBatch> {
  let firstRow = 0;
  for await (const batch of table.read(columns)) {
    const skipped = Math.min(batch.numRows, Math.max(0, skip - firstRow));
    firstRow += skipped;
    const rest = skipped === 0 ? batch : withoutFirst(batch, skipped);
    if (rest.numRows > 0) yield { kind: "texts", ...rest, file, table, firstRow };
    firstRow += rest.numRows;
  }
}

function withoutFirst({ numRows, columns }: TableBatch, skipped: number): TableBatch {
  return { numRows: numRows - skipped, columns: columns.map((column) => column.slice(skipped)) };
}

/** An error about one value: the message begins with the file and the line. */
export async function errorAt(
  code: "DATASET_VALUE_INVALID" | "DATASET_NODE_UNKNOWN" | "DATASET_DUPLICATE",
  batch: Placed,
  row: number,
  field: string,
  message: string,
): Promise<GnnError> {
  const line = await batch.table.lineOf(batch.firstRow + row);
  const place = { file: batch.file, line, field };
  return new GnnError(code, `${batch.file}, line ${line}, column "${field}": ${message}`, { place });
}
