import type { NodesSection } from "../dataset-spec.ts";
import { GrowableFloat64 } from "./growable.ts";
import { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { type IngestContext, type Placed, readSection } from "./ingest-context.ts";
import { localIds } from "./local-ids.ts";

type Texts = readonly (string | null)[];

/**
 * Which row each node is read from, where a later row replaces the earlier ones of its id. Rows are counted over all
 * files of the section, and a node keeps the place of its first row:
 *
 *   rows a b a c b  →  firsts 0 1, lasts 2 4, later 2 4: nodes a b c are read from rows 2 4 3
 */
export interface LastRows {
  /** Rows whose id is there before: they have no place of their own, ascending */
  readonly later: Float64Array;
  /** Rows that are replaced and have a place, ascending */
  readonly firsts: Float64Array;
  /** The last row of the same id, by index of `firsts` */
  readonly lasts: Float64Array;
  readonly files: readonly FileRows[];
}

/** How many rows a file has, and how many of these a later row replaces. */
export interface FileRows {
  readonly file: string;
  readonly rows: number;
  readonly replaced: number;
}

/**
 * Reads the ids once, to know which rows are replaced before the first is taken: a value that only replaced rows have
 * is then no class, no kind and in no mean.
 *
 * @param areIdsLocal ids are unique in their graph alone
 * @returns null where no row is replaced, or the section does not say that later ones do
 */
export async function findLastRows(
  context: IngestContext,
  section: NodesSection,
  areIdsLocal: boolean,
): Promise<LastRows | null> {
  if (section.repeatedIds !== "last") return null;
  const graph = areIdsLocal && section.graph !== undefined ? [section.graph] : [];
  const columns = [section.id, ...graph].map((name) => ({ name, as: "text" as const }));
  const search = new RepeatedRows();
  for await (const batch of readSection(context, section, columns, "read ids")) {
    const [ids, graphs] = batch.columns as readonly [Texts, Texts?];
    search.add(batch, graphs ? localIds(ids, graphs) : ids.map(idOf));
  }
  return search.finish();
}

class RepeatedRows {
  readonly #ids = new IdIndex();
  /** By node */
  readonly #firstRows = new GrowableFloat64();
  readonly #later = new GrowableFloat64();
  /** The last row by the first one, of ids that are there again */
  readonly #lastOf = new Map<number, number>();
  readonly #files: { file: string; firstRow: number; rows: number; replaced: number }[] = [];
  #numRows = 0;

  add({ file, firstRow }: Placed, ids: readonly string[]): void {
    const open = this.#files.at(-1);
    // A file may be listed twice.
    if (open?.file !== file || firstRow < open.rows) {
      this.#files.push({ file, firstRow: this.#numRows, rows: 0, replaced: 0 });
    }
    this.#files.at(-1)!.rows += ids.length;
    for (const id of ids) {
      const row = this.#numRows++;
      // An empty id is refused where rows are read, with its place.
      if (id === "") continue;
      if (this.#ids.addNew(id)) this.#firstRows.push(row);
      else this.#replace(this.#firstRows.values[this.#ids.indexOf(id)]!, row);
    }
  }

  finish(): LastRows | null {
    if (this.#lastOf.size === 0) return null;
    const firsts = Float64Array.from(this.#lastOf.keys()).toSorted();
    return {
      later: this.#later.values,
      firsts,
      lasts: firsts.map((first) => this.#lastOf.get(first)!),
      files: this.#files.map(({ file, rows, replaced }) => ({ file, rows, replaced })),
    };
  }

  #replace(first: number, row: number): void {
    const replaced = this.#lastOf.get(first) ?? first;
    this.#files.findLast(({ firstRow }) => firstRow <= replaced)!.replaced++;
    this.#lastOf.set(first, row);
    this.#later.push(row);
  }
}
