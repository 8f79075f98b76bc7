import type { ExportSources } from "./export-sources.ts";
import { type LoaderFormat, type TextColumn, textLines } from "./text-rows.ts";

/** A file for the loader of another system */
interface LoaderFile {
  readonly name: string;
  readonly format: LoaderFormat;
  /** Columns that, where there are such, tell any two rows apart; none: rows may be alike */
  readonly key: readonly string[];
}

/** The lines of such a file. What it holds is kept where it has no header that says so. */
export function loaderLines(
  { tables, only }: Pick<ExportSources, "tables" | "only">,
  { name, format, key }: LoaderFile,
  rows: AsyncIterable<readonly TextColumn[]>,
): AsyncIterable<string> {
  const type = only?.name ?? null;
  return textLines(format, format === "pgcopy" ? tables.watch(name, key, type, rows) : rows, type);
}
