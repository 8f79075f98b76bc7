import type { SampledFile } from "./sampled-file.ts";
import type { SpecSection } from "./spec-sections.ts";

/** Why a file cannot be read as those of a section; `lacks`: columns that it does not have. */
export interface Misfit {
  readonly section: SpecSection;
  readonly lacks: readonly string[];
  readonly reason: string;
}

/**
 * @param earlier  the files that the section has already
 * @returns null: the file is read as those are
 */
export function misfitOf(file: SampledFile, section: SpecSection, earlier: readonly SampledFile[]): Misfit | null {
  const lacks = section.columns.filter((name) => !file.columns.some((column) => column.name === name));
  const reason =
    (lacks.length > 0 ? `it has no column ${quoted(lacks)}` : null) ??
    otherReader(file, section) ??
    otherType(file, section, earlier) ??
    (section.matrix === undefined
      ? null
      : `their features are the rows of ${section.matrix}, which has none for more nodes; upload all of them anew`);
  return reason === null ? null : { section, lacks, reason };
}

/** The spec has one reader for all files of a section, or leaves it to the names' endings. */
function otherReader(
  { reader, options, isChosen }: SampledFile,
  { reader: wanted, files }: SpecSection,
): string | null {
  const [first] = files;
  if (!wanted)
    return isChosen ? `it is read by ${reader} with other settings than its name says, unlike ${first}` : null;
  if (reader !== wanted.type) return `it is read by ${reader}, and ${first} by ${wanted.type}`;
  for (const [name, value] of Object.entries(wanted.options)) {
    const found = options[name];
    if (found === undefined || JSON.stringify(found) === JSON.stringify(value)) continue;
    return `its ${name} is ${JSON.stringify(found)}, and that of ${first} ${JSON.stringify(value)}`;
  }
  return null;
}

/** Numbers where the files before have numbers, and lists as long as theirs. */
function otherType(file: SampledFile, { numbers }: SpecSection, earlier: readonly SampledFile[]): string | null {
  for (const name of numbers) {
    const at = file.columns.findIndex((column) => column.name === name);
    if (file.rows.every((row) => (row[at] ?? "").trim() === "")) continue;
    const { type, list } = file.columns[at]!;
    const [before] = earlier.flatMap(({ name: from, columns }) =>
      columns.filter((column) => column.name === name).map((column) => ({ ...column, from })),
    );
    if (!before) continue;
    const said = `its column "${name}" holds`;
    if (isNumeric(before.type) && !isNumeric(type)) return `${said} ${type}, and that of ${before.from} numbers`;
    if (before.type === "list" && list?.width !== before.list?.width)
      return `${said} ${list?.width ?? "no equal"} numbers in a row, and that of ${before.from} ${before.list?.width}`;
  }
  return null;
}

function isNumeric(type: string): boolean {
  return type === "int64" || type === "double" || type === "boolean";
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(", ");
}
