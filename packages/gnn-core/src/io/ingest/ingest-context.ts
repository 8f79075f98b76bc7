import type { Registry } from "../../components/registry.ts";
import { GnnError } from "../../errors/gnn-error.ts";
import type { Uploads } from "../archives/uploads.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { StepProgress } from "../step-progress.ts";
import type { IntegerBatch, TableBatch, TableSource, TextIdBatch } from "../table-source.ts";
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

/** Where a cell stands; `field`: how its column is called there, `note`: what else is to be said of it */
export interface FoundPlace {
  readonly file: string;
  readonly line: number;
  readonly field?: string;
  readonly note?: string;
}

/** Where a batch stands, so that any of its rows can be named in an error. */
export interface Placed {
  readonly file: string;
  readonly table: TableSource;
  /** Row of the file (from 0) that is the batch's first. */
  readonly firstRow: number;
  /** Where a cell of the batch stands, where it was taken from elsewhere; left out: its row is behind `firstRow` */
  readonly placeOf?: (row: number, field: string) => Promise<FoundPlace>;
}

export interface PlacedBatch extends TableBatch, Placed {
  readonly kind: "texts";
}

export interface PlacedIntegers extends IntegerBatch, Placed {
  readonly kind: "integers";
}

export interface PlacedTextIds extends TextIdBatch, Placed {
  readonly kind: "textIds";
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
 * Reads as above; for as long as the file allows it, rows whose id columns hold short integers come as numbers, and
 * then rows of other ids as packed texts.
 *
 * @param columns the id columns first, as text; then number columns, and such as may be read as numbers
 */
export async function* readIdRows(
  context: IngestContext,
  section: TableSection,
  columns: readonly PlainColumn[],
  phase: string,
): AsyncIterable<PlacedBatch | PlacedIntegers | PlacedTextIds> {
  yield* eachFile(context, section, phase, (table, file) => readFastest(table, file, columns));
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

async function* readFastest(
  table: TableSource,
  file: string,
  columns: readonly PlainColumn[],
): AsyncIterable<PlacedBatch | PlacedIntegers | PlacedTextIds> {
  const isNumber = ({ as, mayBeNumbers }: PlainColumn) => as === "number" || mayBeNumbers === true;
  const namesWhere = (isWanted: (column: PlainColumn) => boolean) => columns.filter(isWanted).map(({ name }) => name);
  const [ids, numbers] = [namesWhere((column) => !isNumber(column)), namesWhere(isNumber)];
  if (columns.some(({ name, mayBeNumbers }) => mayBeNumbers && !looksNumeric(table, name))) {
    yield* readTexts(table, file, columns, 0);
    return;
  }
  let firstRow = 0;
  for await (const batch of rowsOf(table.readIntegers?.(ids, numbers))) {
    if (batch === "whole") return;
    yield { kind: "integers", ...batch, file, table, firstRow };
    firstRow += batch.numRows;
  }
  let seen = 0;
  for await (const batch of rowsOf(table.readTextIds?.(ids, numbers))) {
    if (batch === "whole") return;
    const rest = textIdsFrom(batch, firstRow - seen, ids.length);
    seen += batch.numRows;
    if (rest.numRows > 0) yield { kind: "textIds", ...rest, file, table, firstRow };
    firstRow += rest.numRows;
  }
  yield* readTexts(table, file, columns, firstRow);
}

function looksNumeric({ columns }: TableSource, name: string): boolean {
  return columns.some((column) => column.name === name && (column.type === "int64" || column.type === "double"));
}

/** The batches of a fast way through a file, if there is one, and `whole` behind them where it came to the end. */
async function* rowsOf<Batch>(
  batches: AsyncGenerator<Batch, boolean, undefined> | undefined,
): AsyncIterable<Batch | "whole"> {
  if (!batches) return;
  try {
    for (;;) {
      const next = await batches.next();
      if (!next.done) yield next.value;
      else {
        if (next.value) yield "whole";
        return;
      }
    }
  } finally {
    await batches.return(false);
  }
}

/** The batch without its first rows, which another way has taken. */
function textIdsFrom(batch: TextIdBatch, taken: number, numIds: number): TextIdBatch {
  const skipped = Math.min(batch.numRows, Math.max(0, taken));
  if (skipped === 0) return batch;
  return {
    numRows: batch.numRows - skipped,
    bytes: batch.bytes,
    offsets: batch.offsets.subarray(skipped * numIds),
    numbers: batch.numbers.map((column) => column.subarray(skipped)),
    odd: batch.odd.filter((row) => row >= skipped).map((row) => row - skipped),
  };
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
  const { file, line, field: called = field, note } = await placeIn(batch, row, field);
  const place = { file, line, field: called };
  const said = note === undefined ? message : `${message} ${note}`;
  return new GnnError(code, `${file}, line ${line}, column "${called}": ${said}`, { place });
}

/** Where a cell of the batch stands */
export async function placeIn(batch: Placed, row: number, field: string): Promise<FoundPlace> {
  if (batch.placeOf) return batch.placeOf(row, field);
  return { file: batch.file, line: await batch.table.lineOf(batch.firstRow + row) };
}
