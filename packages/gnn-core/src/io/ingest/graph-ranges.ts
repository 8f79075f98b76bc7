import { GrowableInt32 } from "./growable.ts";
import type { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";

/** Which nodes each graph has: of graph g those from offsets[g] to offsets[g + 1]. */
export interface RangesOfGraphs {
  /** int32 [numGraphs + 1] */
  readonly offsets: Int32Array;
  /** Row of the table of graphs that graph g has; graphs are counted in the order of their nodes */
  readonly rows: Int32Array;
}

/** Follows the rows of the nodes, which are sorted by graph, and notes where each graph begins. */
export class GraphRanges {
  /** Rows of the table of graphs */
  readonly #ids: IdIndex;
  readonly #table: string;
  readonly #isSeen: Uint8Array;
  readonly #starts = new GrowableInt32();
  readonly #rows = new GrowableInt32();
  #numNodes = 0;

  /**
   * @param ids those of the table of graphs
   * @param table its files, for messages
   */
  constructor(ids: IdIndex, table: string) {
    this.#ids = ids;
    this.#table = table;
    this.#isSeen = new Uint8Array(ids.size);
  }

  /**
   * The graphs of the next nodes.
   *
   * @returns their ids
   * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_VALUE_INVALID, with the place of the first wrong row
   */
  async add(batch: PlacedBatch, cells: readonly (string | null)[], field: string): Promise<string[]> {
    const ids = cells.map(idOf);
    for (const [i, id] of ids.entries()) {
      const row = this.#ids.indexOf(id);
      const bad = this.#objection(id, row);
      if (bad) throw await errorAt(bad.code, batch, i, field, bad.found);
      if (row !== this.#rows.values.at(-1)) this.#begin(row);
      this.#numNodes += 1;
    }
    return ids;
  }

  /** @returns the rows of the table whose graphs have no node, too */
  finish(): RangesOfGraphs & { readonly empty: readonly number[] } {
    const offsets = new Int32Array(this.#starts.length + 1);
    offsets.set(this.#starts.values);
    offsets[this.#starts.length] = this.#numNodes;
    const empty = [...this.#isSeen.keys()].filter((row) => this.#isSeen[row] === 0);
    return { offsets, rows: this.#rows.values, empty };
  }

  #begin(row: number): void {
    this.#isSeen[row] = 1;
    this.#rows.push(row);
    this.#starts.push(this.#numNodes);
  }

  #objection(id: string, row: number) {
    if (id === "")
      return { code: "DATASET_VALUE_INVALID", found: "the graph is empty; every node is of one." } as const;
    if (row < 0) {
      const found = `there is no graph ${JSON.stringify(id)} in ${this.#table}; expected one of those that it lists.`;
      return { code: "DATASET_NODE_UNKNOWN", found } as const;
    }
    if (this.#isSeen[row] === 0 || row === this.#rows.values.at(-1)) return null;
    const found = `the graph ${JSON.stringify(id)} comes again behind another; expected the nodes of a graph to follow each other: sort the rows by graph.`;
    return { code: "DATASET_VALUE_INVALID", found } as const;
  }
}
