import type { WantedColumn } from "../../wanted-column.ts";
import type { PlacedBatch, PlacedIntegers, PlacedTextIds } from "../ingest-context.ts";
import type { GraphProfile } from "./graph-profile.ts";
import { NumberProfile } from "./number-profile.ts";
import { TextProfile } from "./text-profile.ts";

export type ProfiledColumn<Column extends WantedColumn = WantedColumn> = Column & {
  /** What it was mapped as */
  readonly role: string;
  /** Texts beside the empty one that say that a value is not known */
  readonly missingWords?: readonly string[];
};

/** Columns of a table that are looked at; a table of thousands of feature columns has its first ones shown. */
export const maxProfiledColumns = 64;
const sampleRows = 10;
const sampleColumns = 16;
const cellLength = 80;

/** What a profile tells of a table, or of several. */
export type TableFacts = Pick<TableProfile, "finish" | "columnsLeftOut" | "sample">;

/** Facts about the mapped columns of the nodes files, or of the edges files, and their first rows. */
export class TableProfile {
  readonly #table: "nodes" | "edges";
  readonly #type: string | null;
  readonly #columns: readonly ProfiledColumn[];
  readonly #facts: readonly (TextProfile | NumberProfile)[];
  readonly #sample: (string | null)[][] = [];
  #numRows = 0;

  /**
   * @param columns in the order of the columns of each batch
   * @param type    of the nodes or edges of a table of their own; null: a table of all
   */
  constructor(table: "nodes" | "edges", columns: readonly ProfiledColumn[], type: string | null = null) {
    this.#table = table;
    this.#type = type;
    this.#columns = columns;
    this.#facts = columns
      .slice(0, maxProfiledColumns)
      .map(({ as, missingWords = [] }) => (as === "text" ? new TextProfile(missingWords) : new NumberProfile()));
  }

  add({ numRows, columns }: PlacedBatch): void {
    this.#take(numRows, columns);
  }

  /** The ids of an edge were read as numbers; they are texts nevertheless. */
  addIntegers({ numRows, ids, numbers }: PlacedIntegers): void {
    this.#take(numRows, [...ids, ...numbers]);
  }

  /** Their texts are looked at as far as the sample goes. */
  addTextIds(batch: PlacedTextIds, textAt: (row: number, column: number) => string): void {
    const shown = Math.min(batch.numRows, sampleRows);
    const numIds = (batch.offsets.length - 1) / batch.numRows;
    const ids = Array.from({ length: numIds }, (_, column) =>
      Array.from({ length: shown }, (__, row) => textAt(row, column)),
    );
    this.#take(batch.numRows, [...ids, ...batch.numbers]);
  }

  #take(numRows: number, columns: readonly (readonly (string | null)[] | Float64Array)[]): void {
    this.#numRows += numRows;
    for (let row = 0; row < numRows && this.#sample.length < sampleRows; row++) {
      this.#sample.push(columns.slice(0, sampleColumns).map((column, i) => this.#cellOf(i, column, row)));
    }
    for (const [i, facts] of this.#facts.entries()) {
      // Every row has an id: what is empty there is refused.
      if (this.#columns[i]!.role === "id") continue;
      const values = columns[i]!;
      if (facts instanceof NumberProfile) for (const value of values as Float64Array) facts.add(value);
      else for (let row = 0; row < numRows; row++) facts.add(values[row] ?? null);
    }
  }

  /** The columns that are looked at, with what was found. */
  finish(): GraphProfile["columns"] {
    return this.#facts.map((facts, i) => {
      const column = this.#columns[i]!;
      const { name, role } = column;
      const isText = facts instanceof TextProfile;
      return {
        table: this.#table,
        ...(this.#type !== null && { type: this.#type }),
        name: column.as === "vector" ? `${name}[${column.width}]` : name,
        role,
        rows: this.#numRows * widthOf(column),
        missing: facts.missing,
        distinct: isText && role !== "id" ? facts.distinct : null,
        numbers: isText ? null : facts.finish(),
      };
    });
  }

  #cellOf(i: number, column: readonly (string | null)[] | Float64Array, row: number): string | null {
    const width = widthOf(this.#columns[i]!);
    if (this.#columns[i]!.as !== "vector") return cellText(column[row]!);
    const values = (column as Float64Array).subarray(row * width, (row + 1) * width);
    return Number.isNaN(values[0]) ? null : cellText(`[${values.subarray(0, cellLength).join(", ")}]`);
  }

  get columnsLeftOut(): number {
    return Math.max(0, this.#columns.length - maxProfiledColumns);
  }

  get sample(): GraphProfile["sample"]["nodes"] {
    return { columns: this.#columns.slice(0, sampleColumns).map(({ name }) => name), rows: this.#sample };
  }
}

function widthOf(column: ProfiledColumn): number {
  return column.as === "vector" ? column.width : 1;
}

function cellText(value: string | number | null): string | null {
  if (value === null || value === "" || Number.isNaN(value)) return null;
  const text = String(value);
  return text.length > cellLength ? `${text.slice(0, cellLength - 1)}…` : text;
}

/** Several tables of nodes, or of edges, as one: the columns of all of them, and the first rows of one. */
export function joinTables(tables: readonly TableFacts[], shown = 0): TableFacts {
  return {
    finish: () => tables.flatMap((table) => table.finish()),
    columnsLeftOut: tables.reduce((sum, table) => sum + table.columnsLeftOut, 0),
    sample: (tables[shown] as TableFacts).sample,
  };
}
