import type { TableShape } from "../spec/result-info.ts";
import type { TextColumn } from "./text-rows.ts";

/** What the lines of a file mean that names no columns; whoever makes a table of it needs to know. */
export class TableShapes {
  readonly #shapes: TableShape[] = [];

  get all(): readonly TableShape[] {
    return this.#shapes;
  }

  /**
   * Passes the rows of a file on, and keeps their columns and number once the last has passed.
   *
   * @param key       columns that, where there are such, tell any two rows apart; none: rows may be alike
   * @param nodeType  the type of node that all rows are of, if they are of one
   */
  async *watch(
    file: string,
    key: readonly string[],
    nodeType: string | null,
    batches: AsyncIterable<readonly TextColumn[]>,
  ): AsyncGenerator<readonly TextColumn[]> {
    let numRows = 0;
    let columns: readonly TextColumn[] = [];
    for await (const batch of batches) {
      columns = batch;
      numRows += numRowsOf(batch);
      yield batch;
    }
    const shapes = columns.map((column) => ({ name: column.name, ...typeOf(column) }));
    const present = key.filter((name) => columns.some((column) => column.name === name));
    this.#shapes.push({ file, numRows, key: present, nodeType, columns: shapes });
  }
}

function numRowsOf([first]: readonly TextColumn[]): number {
  if (first === undefined) return 0;
  return first.type === "id" ? first.ids.length : first.values.length;
}

function typeOf(column: TextColumn): Omit<TableShape["columns"][number], "name"> {
  if (column.type === "vector") return { type: "vector", dim: column.dim };
  if (column.type === "id") return { type: column.ids.type === "int64" ? "int64" : "text", dim: null };
  if (column.type === "text") return { type: "text", dim: null };
  return { type: column.isWhole ? "int32" : "float32", dim: null };
}
