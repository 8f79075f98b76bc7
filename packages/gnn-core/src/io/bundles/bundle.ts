import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";

/** Several files that are one graph only together, and are read as tables that are made of them. */
export interface Bundle {
  /** The file that the tables are called by: `ind.cora.graph/nodes.csv` */
  readonly anchor: string;
  /** All files of it, by what they hold */
  readonly sources: ReadonlyMap<string, string>;
  readonly write: (context: BundleContext) => Promise<WrittenBundle>;
}

export interface BundleContext {
  /** The file of a bundle, by what it holds; null: the bundle has none such */
  readonly open: (source: string) => Promise<UploadedFile | null>;
  /** A folder of its own for the tables */
  readonly dir: string;
  readonly limits: ReadingLimits;
  /** For a look at the beginning so many rows of each table are enough; null: all are written */
  readonly sampleRows: number | null;
  /** Called between pieces of work on a file; may throw to end it */
  readonly check: (file: string) => void;
}

export interface WrittenBundle {
  /** Names of the tables in the folder */
  readonly tables: readonly string[];
  /** What somebody should know of them, in sentences */
  readonly notes: readonly string[];
}

/** A table of a bundle, by the name that a dataset spec uses. */
export function tableName({ anchor }: Bundle, table: string): string {
  return `${anchor}/${table}`;
}
