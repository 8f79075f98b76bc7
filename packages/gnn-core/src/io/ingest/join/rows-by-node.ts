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
  readonly path: string;
  readonly file: FileHandle;
  readonly writer: RowWriter;
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
  #placed: { readonly range: number; readonly found: CellsOfNodes } | null = null;

  /** @param nodesInRange left out: as many as fit into memory */
  constructor(columns: readonly WantedColumn[], numNodes: number, folder: string, nodesInRange?: number) {
    this.#columns = columns;
    this.#folder = folder;
    this.#numNodes = numNodes;
    this.#nodesInRange = nodesInRange ?? Math.max(rowsWithin(rangeBytes, columns), Math.ceil(numNodes / mostRanges));
    if (numNodes <= this.#nodesInRange) this.#placed = { range: 0, found: this.#empty(numNodes) };
  }

  /** @param row place in its table, of each cell that `cells` have at `at` */
  async write(node: number, row: number, cells: readonly Cells[], at: number): Promise<void> {
    if (this.#placed) {
      const { cells: own, rows } = this.#placed.found;
      rows[node] = row;
      for (const [c, column] of this.#columns.entries()) copyCell(cells[c]!, at, own[c]!, node, widthOf(column));
      return;
    }
    const range = Math.floor(node / this.#nodesInRange);
    const waiting = this.#ranges.get(range) ?? (await this.#openRange(range));
    waiting.writer.add(node % this.#nodesInRange, row, cells, at);
    if (waiting.writer.length >= waitingBytes) await waiting.file.appendFile(waiting.writer.take());
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
    for (const range of this.#ranges.values()) {
      await range.file.close();
      await rm(range.path, { force: true });
    }
  }

  #empty(numNodes: number): CellsOfNodes {
    const cells = this.#columns.map((column) => emptyCells(column, numNodes));
    return { cells, rows: new Float64Array(numNodes).fill(-1) };
  }

  async #openRange(range: number): Promise<Range> {
    const path = join(this.#folder, `joined-${randomUUID()}`);
    const opened = { path, file: await open(path, "ax"), writer: new RowWriter(this.#columns) };
    this.#ranges.set(range, opened);
    return opened;
  }

  async #reach(range: number): Promise<CellsOfNodes> {
    if (this.#placed?.range === range) return this.#placed.found;
    const found = this.#empty(Math.min(this.#nodesInRange, this.#numNodes - range * this.#nodesInRange));
    const waiting = this.#ranges.get(range);
    if (waiting) {
      await waiting.file.appendFile(waiting.writer.take());
      placeRows(await readFile(waiting.path), this.#columns, found.cells, found.rows);
    }
    this.#placed = { range, found };
    return found;
  }
}
