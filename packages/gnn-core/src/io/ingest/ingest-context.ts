import { GnnError } from "../../errors/gnn-error.ts";
import type { Registry } from "../../spec/registry.ts";
import type { StepProgress } from "../step-progress.ts";
import type { TableBatch, TableSource } from "../table-source.ts";
import { findUploaded, openTable, type ReaderChoice, type UploadedFile } from "../uploaded-files.ts";

/** What every part of one ingest works with. */
export interface IngestContext {
  readonly files: readonly UploadedFile[];
  readonly registry: Registry;
  readonly outDir: string;
  readonly progress: StepProgress;
  /** Closes files that a failed ingest leaves half-written. */
  readonly onFailure: (() => Promise<void>)[];
}

export interface TableSection {
  readonly files: readonly string[];
  readonly reader?: ReaderChoice | undefined;
}

/** A batch and where it stands, so that any of its rows can be named in an error. */
export interface PlacedBatch extends TableBatch {
  readonly file: string;
  readonly table: TableSource;
  /** Row of the file (from 0) that is the batch's first. */
  readonly firstRow: number;
}

/** Streams the rows of all files of a section, in their order. */
export async function* readSection(
  context: IngestContext,
  section: TableSection,
  columns: readonly { name: string; as: "text" | "number" }[],
  phase: string,
): AsyncIterable<PlacedBatch> {
  let rows = 0;
  for (const file of section.files) {
    const table = await openTable(context.registry, findUploaded(context.files, file), section.reader);
    try {
      let firstRow = 0;
      for await (const batch of table.read(columns)) {
        yield { ...batch, file, table, firstRow };
        firstRow += batch.numRows;
        rows += batch.numRows;
        context.progress.report(phase, rows, null, "rows");
      }
    } finally {
      await table.close();
    }
  }
  context.progress.report(phase, rows, rows, "rows");
}

/** An error about one value: the message begins with the file and the line. */
export async function errorAt(
  code: "DATASET_VALUE_INVALID" | "DATASET_NODE_UNKNOWN" | "DATASET_DUPLICATE",
  batch: PlacedBatch,
  row: number,
  field: string,
  message: string,
): Promise<GnnError> {
  const line = await batch.table.lineOf(batch.firstRow + row);
  const place = { file: batch.file, line, field };
  return new GnnError(code, `${batch.file}, line ${line}, column "${field}": ${message}`, { place });
}
