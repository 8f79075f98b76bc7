import type { z } from "zod";
import type { ReadingLimits } from "../io/limits/reading-limits.ts";
import type { TableSource } from "../io/table-source.ts";
import type { ComponentBase } from "./component.ts";

export interface ReaderComponent<O extends z.ZodObject = z.ZodObject> extends ComponentBase<O> {
  readonly kind: "reader";
  /** File-name endings this reader is proposed for, e.g. `.csv`, `.csv.gz`. */
  readonly extensions: readonly string[];
  /** The tables that one of its files holds, as its option `part` names them; left out: a file is one table. */
  readonly parts?: readonly ("nodes" | "edges")[];
  /**
   * Opens one file as a table of columns; closing it frees everything it holds.
   * `name` is what the user called the file: errors say that, never the path. Rows and columns are counted for it; what
   * it unpacks or holds in memory it bounds itself, as `limits` say; left out: the usual ones.
   */
  readonly open: (path: string, options: z.infer<O>, name: string, limits?: ReadingLimits) => Promise<TableSource>;
}

/** Declares a reader. One per file, exported from `io/readers/<name>.reader.ts`. */
export function defineReader<O extends z.ZodObject>(reader: Omit<ReaderComponent<O>, "kind">): ReaderComponent<O> {
  return { kind: "reader", ...reader };
}
