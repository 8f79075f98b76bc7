/** A column of a table, as far as a graph is concerned. */
export interface TableColumn {
  readonly name: string;
  /** Why it is no use to a graph: what it holds; null: it may be of use. */
  readonly unfit: string | null;
}

/** Columns that name the row of another table, or of the table itself. */
export interface ForeignKey {
  readonly columns: readonly string[];
  /** The table that is referred to, as an index into the list of tables; null: it may not be read, or is no table. */
  readonly target: number | null;
  readonly targetColumns: readonly string[];
}

/** A table that the user may read. */
export interface DatabaseTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Columns of the primary key; none: it has no such key. */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** How a database writes names of tables and columns. */
export type Quote = (name: string) => string;
