import { GnnError } from "../errors/gnn-error.ts";
import type { IngestContext } from "../io/ingest/ingest-context.ts";
import type { ColumnInfo } from "../io/table-source.ts";
import { openTable } from "../io/uploaded-files.ts";
import type { WantedColumn } from "../io/wanted-column.ts";
import type { ReadVectorsOptions } from "../spec/vector-options.ts";

/**
 * How the id and the numbers of a table of vectors are read: the id first, then one column of lists, or `dim` columns.
 *
 * @throws GnnError SPEC_INVALID when the columns do not come to `dim` numbers; DATASET_COLUMN_MISSING
 */
export async function vectorColumns(context: IngestContext, options: ReadVectorsOptions): Promise<WantedColumn[]> {
  const { file, id, dim } = options;
  const table = await openTable(context, await context.files.find(file), undefined);
  try {
    const asked = [id, ...options.columns];
    const missing = asked.find((name) => !table.columns.some((column) => column.name === name));
    if (missing !== undefined) throw columnMissing(file, missing, table.columns);
    const columns = options.columns.length > 0 ? options.columns : proposedColumns(table.columns, id, dim);
    const wanted = wantedOf(columns, dim, file);
    return [{ name: id, as: "text" }, ...wanted];
  } finally {
    await table.close();
  }
}

/** The only column of lists, else all but the id. */
function proposedColumns(columns: readonly ColumnInfo[], id: string, dim: number): string[] {
  const others = columns.filter(({ name }) => name !== id);
  const lists = others.filter(({ type }) => type === "list");
  return (lists.length === 1 && dim > 1 ? lists : others).map(({ name }) => name);
}

function wantedOf(columns: readonly string[], dim: number, file: string): WantedColumn[] {
  if (columns.length === dim) return columns.map((name) => ({ name, as: "number", mayBeMissing: true }));
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) {
    return [{ name: only, as: "vector", width: dim, mayBeMissing: true }];
  }
  const pointer = "/features/embedding/vectors/columns";
  const message = `${pointer}: ${columns.length} columns of ${file} were found or named, and each vector has ${dim} numbers (features.embedding.dim); name ${dim} columns, or one of lists.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

function columnMissing(file: string, name: string, columns: readonly ColumnInfo[]): GnnError {
  const shown = columns.slice(0, 20).map((column) => column.name);
  const rest = columns.length > 20 ? ` and ${columns.length - 20} more` : "";
  const message = `${file} has no column "${name}"; it has ${shown.join(", ")}${rest}.`;
  return new GnnError("DATASET_COLUMN_MISSING", message, { place: { file, field: name } });
}
