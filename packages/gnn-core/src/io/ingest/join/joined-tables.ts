import { GnnError } from "../../../errors/gnn-error.ts";
import type { NodesSection } from "../../dataset-spec.ts";
import { type JoinedTableSection, namedColumns } from "../../join-section.ts";
import { openTable } from "../../uploaded-files.ts";
import type { WantedColumn } from "../../wanted-column.ts";
import type { IngestContext, TableSection } from "../ingest-context.ts";

/** A table that is joined, and its columns by the name that the nodes know them by */
export interface JoinedTable {
  readonly section: JoinedTableSection;
  readonly columns: ReadonlyMap<string, string>;
}

/** Columns that are read of one table; `places`: where they stand among all that are wanted. */
export interface WantedOf {
  /** null: the table of the nodes itself */
  readonly table: JoinedTable | null;
  /** By their names in that table */
  readonly columns: readonly WantedColumn[];
  readonly places: readonly number[];
}

/** The tables that a section of nodes joins, with the columns that they have. */
export class JoinedTables {
  readonly #section: NodesSection;
  readonly #own: readonly string[];
  readonly #tables: readonly JoinedTable[];

  private constructor(section: NodesSection, own: readonly string[], tables: readonly JoinedTable[]) {
    this.#section = section;
    this.#own = own;
    this.#tables = tables;
  }

  /** @throws GnnError DATASET_COLUMN_MISSING of a column that a join names, and what readers throw */
  static async open(context: IngestContext, section: NodesSection): Promise<JoinedTables> {
    const own = await columnsOf(context, section);
    const tables: JoinedTable[] = [];
    for (const join of section.join ?? []) {
      const there = await columnsOf(context, join);
      const named = namedColumns(join);
      for (const column of [join.id, ...(named?.values() ?? [])]) {
        if (!there.includes(column)) throw missingIn(join, column, there);
      }
      const others = there.filter((name) => name !== join.id);
      tables.push({ section: join, columns: named ?? new Map(others.map((name) => [name, name])) });
    }
    return new JoinedTables(section, own, tables);
  }

  /**
   * Which table each column is read of.
   *
   * @throws GnnError SPEC_INVALID of a name that two tables have, DATASET_COLUMN_MISSING of one that none has
   */
  sourcesOf(wanted: readonly WantedColumn[]): readonly WantedOf[] {
    const tables = wanted.map(({ name }) => this.#tableOf(name));
    return [null, ...this.#tables].map((table) => {
      const places = [...wanted.keys()].filter((at) => tables[at] === table);
      const calledThere = (name: string) => table?.columns.get(name) ?? name;
      const columns = places.map((at) => ({ ...wanted[at]!, name: calledThere(wanted[at]!.name) }));
      return { table, columns, places };
    });
  }

  #tableOf(name: string): JoinedTable | null {
    const joined = this.#tables.filter(({ columns }) => columns.has(name));
    const isOwn = this.#own.includes(name);
    // The id is looked for in the table of the nodes: a second table may call its own so.
    if (isOwn && name === this.#section.id) return null;
    if (joined.length + (isOwn ? 1 : 0) > 1) throw this.#ambiguous(name, joined, isOwn);
    if (joined[0]) return joined[0];
    if (!isOwn) throw this.#missing(name);
    return null;
  }

  #ambiguous(name: string, joined: readonly JoinedTable[], isOwn: boolean): GnnError {
    const tables = [...(isOwn ? [this.#section] : []), ...joined.map(({ section }) => section)];
    const names = tables.map(({ files }) => files[0]).join(" and ");
    const message = `Tables that are joined have a column "${name}" each, ${names}, and which of them is meant cannot be told. Name the columns of the joined table in its columns, this one under another name: {"column": ${JSON.stringify(name)}, "as": …}.`;
    return new GnnError("SPEC_INVALID", message, { place: { file: tables.at(-1)!.files[0]!, field: name } });
  }

  #missing(name: string): GnnError {
    const file = this.#section.files[0]!;
    const own = `its columns are: ${this.#own.join(", ")}`;
    const joined = this.#tables.map(
      ({ section, columns }) => `${section.files[0]} gives ${[...columns.keys()].join(", ")}`,
    );
    const message = `${file} has no column "${name}", and no table joined to it gives one; ${[own, ...joined].join("; ")}.`;
    return new GnnError("DATASET_COLUMN_MISSING", message, { place: { file, line: 1, field: name } });
  }
}

/** The columns of the first file; the others have to have those that are read. */
async function columnsOf(context: IngestContext, section: TableSection): Promise<string[]> {
  const table = await openTable(context, await context.files.find(section.files[0]!), section.reader);
  try {
    return table.columns.map(({ name }) => name);
  } finally {
    await table.close();
  }
}

function missingIn({ files }: JoinedTableSection, name: string, there: readonly string[]): GnnError {
  const file = files[0]!;
  const message = `${file} has no column "${name}"; its columns are: ${there.join(", ")}.`;
  return new GnnError("DATASET_COLUMN_MISSING", message, { place: { file, line: 1, field: name } });
}
