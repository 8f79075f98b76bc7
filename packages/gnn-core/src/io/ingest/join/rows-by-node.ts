import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { WantedColumn } from "../../wanted-column.ts";
import { type Cells, copyCell, emptyCells, type OwnCells, rowsWithin, widthOf } from "../cells.ts";
import { placeRows, RowWriter } from "./row-codec.ts";

/** What the rows of one range of nodes may take in memory, texts at some letters each. */
const rangeBytes = 64 << 20;
/** Ranges have a file each while rows are written. */
const mostRanges = 512;
/** What of a range waits in memory until it is written */
const waitingBytes = 64 << 10;

interface Range {
  readonly writer: RowWriter;
  /** null: all of its rows are in memory still */
  file: { readonly path: string; readonly handle: FileHandle } | null;
}

/** Cells of some nodes; `rows`: the row that each is read from, -1 where its node has none. */
export interface CellsOfNodes {
  readonly cells: readonly OwnCells[];
  readonly rows: Float64Array;
}

/**
 * The rows of a table in the order of nodes, whatever order they are written in. The nodes are cut into ranges whose
 * rows fit into memory; the rows of each wait in a file of its own, unless one range holds all. Rows of a range are
 * placed when its nodes are read: each row is written once and read once.
 */
export class RowsByNode {
  readonly #columns: readonly WantedColumn[];
  readonly #folder: string;
  readonly #numNodes: number;
  readonly #nodesInRange: number;
  /** Those that rows were written to; none where one range holds all nodes */
  readonly #ranges = new Map<number, Range>();
  /** Those of which enough waits in memory */
  readonly #full = new Set<Range>();
  #placed: { readonly range: number; readonly found: CellsOfNodes } | null = null;

  /** @param nodesInRange left out: as many as fit into memory */
  constructor(columns: readonly WantedColumn[], numNodes: number, folder: string, nodesInRange?: number) {
    this.#columns = columns;
    this.#folder = folder;
    this.#numNodes = numNodes;
    this.#nodesInRange = nodesInRange ?? Math.max(rowsWithin(rangeBytes, columns), Math.ceil(numNodes / mostRanges));
    if (numNodes <= this.#nodesInRange) this.#placed = { range: 0, found: this.#empty(numNodes) };
  }

  /**
   * Takes a row; `flush` is to be called behind some thousand of them.
   *
   * @param row place in its table, of each cell that `cells` have at `at`
   */
  write(node: number, row: number, cells: readonly Cells[], at: number): void {
    if (this.#placed) {
      const { cells: own, rows } = this.#placed.found;
      rows[node] = row;
      for (const [c, column] of this.#columns.entries()) copyCell(cells[c]!, at, own[c]!, node, widthOf(column));
      return;
    }
    const range = Math.floor(node / this.#nodesInRange);
    const waiting = this.#ranges.get(range) ?? this.#newRange(range);
    waiting.writer.add(node % this.#nodesInRange, row, cells, at);
    if (waiting.writer.length >= waitingBytes) this.#full.add(waiting);
  }

  /** Puts on disk what of a range has become much. */
  async flush(): Promise<void> {
    for (const range of this.#full) await this.#append(range);
    this.#full.clear();
  }

  /** The cells of nodes that follow one another, once all rows are written; quick where the calls do so, too. */
  async read(first: number, numNodes: number): Promise<CellsOfNodes> {
    const taken = this.#empty(numNodes);
    for (let node = first; node < first + numNodes; ) {
      const range = Math.floor(node / this.#nodesInRange);
      const { cells, rows } = await this.#reach(range);
      const start = range * this.#nodesInRange;
      const end = Math.min(first + numNodes, start + this.#nodesInRange);
      for (; node < end; node++) {
        taken.rows[node - first] = rows[node - start]!;
        for (const [c, column] of this.#columns.entries())
          copyCell(cells[c]!, node - start, taken.cells[c]!, node - first, widthOf(column));
      }
    }
    return taken;
  }

  async close(): Promise<void> {
    for (const { file } of this.#ranges.values()) {
      await file?.handle.close();
      if (file) await rm(file.path, { force: true });
    }
  }

  #empty(numNodes: number): CellsOfNodes {
    const cells = this.#columns.map((column) => emptyCells(column, numNodes));
    return { cells, rows: new Float64Array(numNodes).fill(-1) };
  }

  #newRange(range: number): Range {
    const made: Range = { file: null, writer: new RowWriter(this.#columns) };
    this.#ranges.set(range, made);
    return made;
  }

  async #append(range: Range): Promise<void> {
    if (range.file === null) {
      const path = join(this.#folder, `joined-${randomUUID()}`);
      range.file = { path, handle: await open(path, "ax") };
    }
    await range.file.handle.appendFile(range.writer.take());
  }

  async #reach(range: number): Promise<CellsOfNodes> {
    if (this.#placed?.range === range) return this.#placed.found;
    const found = this.#empty(Math.min(this.#nodesInRange, this.#numNodes - range * this.#nodesInRange));
    const waiting = this.#ranges.get(range);
    if (waiting?.file) placeRows(await readFile(waiting.file.path), this.#columns, found.cells, found.rows);
    // What waits still was written last.
    if (waiting) placeRows(waiting.writer.written, this.#columns, found.cells, found.rows);
    this.#placed = { range, found };
    return found;
  }
}
