import { GnnError } from "../../errors/gnn-error.ts";
import { placesAmong } from "../../graph/edge-times.ts";
import { linksOfRows, triplesOfRows } from "../../graph/links-of-rows.ts";
import type { EdgesSection } from "../dataset-spec.ts";
import type { PlainColumn } from "../wanted-column.ts";
import { GrowableFloat64, GrowableInt32 } from "./growable.ts";
import type { ProfiledColumn } from "./profile/table-profile.ts";
import type { EdgeRows } from "./read-edges.ts";
import { splitCodes, splitOf, splitWords } from "./split-words.ts";
import { timeOf } from "./time-of.ts";

/** What rows of the edges say of themselves, for tasks that learn which nodes are linked: their side and their time. */
export interface LinkColumns {
  /** One of `splitCodes` of each row; null: no column and no file says so */
  readonly split: Int32Array | null;
  readonly times: Float64Array | null;
}

/** Collects the sides and times of the rows that are edges. */
export class LinkColumnReading {
  readonly #spec: EdgesSection;
  readonly #split = new GrowableInt32();
  readonly #times = new GrowableFloat64();

  constructor(spec: EdgesSection) {
    this.#spec = spec;
  }

  /** Columns to be read as text, in the order of `add`; times may be numbers where all are, for `addTime`. */
  static columnsOf({ split, time }: EdgesSection): readonly ProfiledColumn<PlainColumn>[] {
    return [
      ...(split === null ? [] : [{ name: split, as: "text" as const, role: "split" }]),
      ...(time === null ? [] : [{ name: time, as: "text" as const, mayBeNumbers: true, role: "time" }]),
    ];
  }

  /**
   * @param cells of the row, in the order of `columnsOf`
   * @returns what is wrong with a cell, by its column; null: nothing
   */
  add(file: string, cells: readonly (string | null)[]): { readonly column: string; readonly found: string } | null {
    const { split, time } = this.#spec;
    const [first = null, second = null] = cells;
    if (split !== null) {
      const side = splitOf(first);
      if (side === undefined) {
        return { column: split, found: `${quoted(first)} names no side; expected one of ${splitWords.join(", ")}.` };
      }
      this.#split.push(splitCodes[side]);
    } else this.#addSideOf(file);
    if (time === null) return null;
    const cell = split === null ? first : second;
    const value = timeOf(cell);
    if (Number.isNaN(value)) {
      return {
        column: time,
        found: `${quoted(cell)} is no time; expected a number, or a date such as 2024-05-31 or 2024-05-31T10:20:00Z.`,
      };
    }
    this.#times.push(value);
    return null;
  }

  /**
   * As `add` of a row without a column of sides.
   *
   * @param time what `timeOf` makes of its cell; left out: there is no column of times
   */
  addTime(file: string, time: number | undefined): void {
    this.#addSideOf(file);
    if (time !== undefined) this.#times.push(time);
  }

  #addSideOf(file: string): void {
    const { splitFiles } = this.#spec;
    if (!splitFiles) return;
    const side = splitFiles.test.includes(file) ? "test" : splitFiles.val.includes(file) ? "val" : "train";
    this.#split.push(splitCodes[side]);
  }

  finish(): LinkColumns {
    const { split, splitFiles, time } = this.#spec;
    const hasSplit = split !== null || splitFiles !== null;
    return { split: hasSplit ? this.#split.values : null, times: time === null ? null : this.#times.values };
  }
}

/**
 * Sides of links and times of edges, in the order of the rows kept: of repeated rows, and of reverse ones, the side
 * that is held out most, where edges have types among rows of one type and direction; of repeated rows that became one
 * edge the earliest time, of others each its own. Times are numbered in their order, equal ones alike; edges that have
 * always been there have −1.
 *
 * @param rows the row of the edges files that each stored edge came from
 */
export async function linkValues(
  { src, dst, types }: Pick<EdgeRows, "src" | "dst" | "types">,
  { split, times }: LinkColumns,
  rows: Uint32Array,
  { numNodes, directed, isMerged }: EdgesAsStored,
): Promise<{ readonly split: Int8Array | null; readonly times: Int32Array | null }> {
  if (!split && !times) return { split: null, times: null };
  const ends = { src, dst };
  const { linkOf, numLinks } = await linksOfRows(ends, numNodes);
  const told = types ? await triplesOfRows({ ...ends, relations: types }, numNodes) : { linkOf, numLinks };
  const most = new Int8Array(told.numLinks);
  split?.forEach((code, row) => {
    most[told.linkOf[row]!] = Math.max(most[told.linkOf[row]!]!, code);
  });
  // u → v and v → u of a directed graph are two edges: one does not tell when the other came to be.
  const edgeOf = (row: number) => 2 * linkOf[row]! + Number(directed && ends.src[row]! > ends.dst[row]!);
  const first = new Float64Array(2 * numLinks).fill(Number.POSITIVE_INFINITY);
  times?.forEach((time, row) => {
    first[edgeOf(row)] = Math.min(first[edgeOf(row)]!, time);
  });
  const timeOfRow = (row: number) => (isMerged ? first[edgeOf(row)]! : times![row]!);
  return {
    split: split && Int8Array.from(rows, (row) => most[told.linkOf[row]!]!),
    times: times && placesAmong(Float64Array.from(rows, timeOfRow)),
  };
}

/** How rows became edges. */
interface EdgesAsStored {
  readonly numNodes: number;
  readonly directed: boolean;
  /** All rows of a pair of nodes became one edge */
  readonly isMerged: boolean;
}

function quoted(cell: string | null): string {
  return JSON.stringify((cell ?? "").slice(0, 60));
}

/** The rows of one table of edges, as far as their sides go */
export interface RowsWithSides {
  readonly files: readonly string[];
  readonly links: Pick<LinkColumns, "split">;
}

/**
 * Something is left to learn from, whichever table has it: all edges of a relation may be held out beside others that
 * are learnt. A table without sides is learnt as a whole.
 *
 * @throws GnnError DATASET_VALUE_INVALID when all rows of all tables are held out, or on no side
 */
export function requireTrainingRows(tables: readonly RowsWithSides[]): void {
  if (tables.some(({ links: { split } }) => !split || split.includes(splitCodes.train))) return;
  const where = tables.length > 1 ? `of the edges of all ${tables.length} relations` : "of the edges";
  const message = `No row ${where} is on the training side. Check the split column, or the files of each side.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file: tables[0]?.files[0] ?? "" } });
}
