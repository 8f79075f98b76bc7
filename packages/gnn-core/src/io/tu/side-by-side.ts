import { GnnError } from "../../errors/gnn-error.ts";
import { type NumberRow, numberRows } from "./tu-numbers.ts";

/** A file of numbers by the name that messages have */
export interface NumberFile {
  readonly name: string;
  readonly path: string;
}

/** Reads rows of files that belong side by side: line i of each is about the same thing. */
export class SideBySide {
  readonly #files: readonly NumberFile[];
  readonly #rows: readonly AsyncGenerator<NumberRow>[];
  readonly #what: string;
  #line = 0;

  /** @param what lines are about, for messages, such as "nodes of DS_graph_indicator.txt" */
  constructor(files: readonly NumberFile[], what: string) {
    this.#files = files;
    this.#rows = files.map(({ name, path }) => numberRows(path, name));
    this.#what = what;
  }

  /**
   * The next line of every file. @throws GnnError DATASET_ROW_INVALID of a file that ends before, and of `numberRows`
   */
  async next(): Promise<(readonly number[])[]> {
    this.#line += 1;
    const values: (readonly number[])[] = [];
    for (const [i, rows] of this.#rows.entries()) {
      const next = await rows.next();
      if (next.done) throw this.#unequal(i, `has ${this.#line - 1} lines, fewer than`);
      values.push(next.value.values);
    }
    return values;
  }

  /** @throws GnnError DATASET_ROW_INVALID of a file that goes on */
  async end(): Promise<void> {
    this.#line += 1;
    for (const [i, rows] of this.#rows.entries()) {
      if (!(await rows.next()).done) throw this.#unequal(i, "has more lines than");
    }
  }

  /** Closes the files, read to their ends or not. */
  async close(): Promise<void> {
    for (const rows of this.#rows) await rows.return(undefined);
  }

  #unequal(i: number, found: string): GnnError {
    const file = this.#files[i]?.name ?? "";
    const message = `${file} ${found} there are ${this.#what}; expected one for each.`;
    return new GnnError("DATASET_ROW_INVALID", message, { place: { file, line: this.#line } });
  }
}
