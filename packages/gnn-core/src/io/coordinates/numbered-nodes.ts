import type { ColumnInfo, IntegerBatch, TableBatch, TableSource } from "../table-source.ts";
import type { WantedColumn } from "../wanted-column.ts";
import type { CoordinateFacts } from "./coordinate-facts.ts";

const batchRows = 65_536;

/** The id of the node with this number, which is of one of two kinds. */
export function idOfKind(kind: string, number: string): string {
  return `${kind}/${number}`;
}

/** The nodes of a file that says how many there are: those without an edge are nodes, too. */
export class NumberedNodes implements TableSource {
  readonly columns: readonly ColumnInfo[];
  readonly readIntegers?: NonNullable<TableSource["readIntegers"]>;
  readonly #kinds: CoordinateFacts["kinds"];
  readonly #numSources: number;
  readonly #numNodes: number;

  constructor({ kinds, numSources, numTargets }: CoordinateFacts) {
    this.#kinds = kinds;
    this.#numSources = numSources ?? 0;
    this.#numNodes = this.#numSources + (numTargets ?? 0);
    this.columns = kinds
      ? [
          { name: "id", type: "text" },
          { name: "type", type: "text" },
        ]
      : [{ name: "id", type: "int64" }];
    if (!kinds) this.readIntegers = (ids, numbers) => this.#integers(ids.length, numbers.length);
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    for (let first = 0; first < this.#numNodes; first += batchRows) {
      const numRows = Math.min(batchRows, this.#numNodes - first);
      const rows = Array.from({ length: numRows }, (_, i) => this.#rowOf(first + i));
      yield { numRows, columns: columns.map((column) => cellsOf(rows, column)) };
    }
  }

  async lineOf(row: number): Promise<number> {
    return row + 1;
  }

  async close(): Promise<void> {}

  #rowOf(node: number): { readonly id: string; readonly type: string } {
    if (!this.#kinds) return { id: String(node + 1), type: "" };
    const isTarget = node >= this.#numSources;
    const type = this.#kinds[isTarget ? 1 : 0];
    return { id: idOfKind(type, String(node + 1 - (isTarget ? this.#numSources : 0))), type };
  }

  async *#integers(numIds: number, numNumbers: number): AsyncGenerator<IntegerBatch, boolean, undefined> {
    // There is no column of numbers but the ids.
    if (numIds !== 1 || numNumbers > 0) return false;
    for (let first = 0; first < this.#numNodes; first += batchRows) {
      const numRows = Math.min(batchRows, this.#numNodes - first);
      yield { numRows, ids: [Float64Array.from({ length: numRows }, (_, i) => first + i + 1)], numbers: [] };
    }
    return true;
  }
}

function cellsOf(rows: readonly { readonly id: string; readonly type: string }[], column: WantedColumn) {
  const texts = rows.map((row) => (column.name === "type" ? row.type : row.id));
  return column.as === "text" ? texts : Float64Array.from(texts, Number);
}
