import { baseName } from "./base-name.ts";
import { overlap, valuesOf } from "./column-values.ts";
import { isNameless } from "./nameless.ts";
import type { NodeRoles } from "./node-roles.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";
import { joinAdvice } from "./second-tables.ts";

export type EdgeFile = SampledFile & FileRoles & { readonly kind: "edges" };
export type NodeFile = SampledFile & NodeRoles & { readonly kind: "nodes" };

/**
 * The first file, its name speaking of nodes or edges if one's does, and those that have all columns which it is used
 * by; about each of the others, which columns it lacks.
 */
export function readTogether<F extends EdgeFile | NodeFile>(files: readonly F[]): { used: F[]; notes: string[] } {
  const first = files.find(({ name }) => /node|vert|edge|knoten|kanten/i.test(baseName(name))) ?? files[0];
  if (!first) return { used: [], notes: [] };
  const needed = first.columns.filter((_, i) => isNeeded(first.roles[i])).map(({ name }) => name);
  const used: F[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const lacks = needed.filter((column) => !file.columns.some(({ name }) => name === column));
    if (differInNamelessColumns(file, first)) notes.push(otherWidth(file, first));
    else if (lacks.length === 0 && haveTwoEncodings(file, first)) notes.push(inAnotherEncoding(file, first));
    else if (lacks.length === 0 && file.reader === first.reader) used.push(file);
    else if (lacks.length === 0)
      notes.push(
        `${file.name} is left out: it is read by ${file.reader}, ${first.name} by ${first.reader}. Write both in one form.`,
      );
    else notes.push(otherColumns(file, first) ?? leftOut(file, first, lacks));
  }
  return { used, notes };
}

/** Times are left aside where not all files have them: edges count for more. */
function isNeeded(role: ColumnRole | undefined): boolean {
  return role !== "none" && role !== "time";
}

/** A section names one reader, and an encoding that was guessed counts for all its files. */
function haveTwoEncodings(file: SampledFile, first: SampledFile): boolean {
  const found = [file.encoding, first.encoding].filter((encoding) => encoding !== null && encoding !== undefined);
  return found.includes("windows-1252") && found.some((encoding) => encoding !== "windows-1252");
}

function inAnotherEncoding(file: SampledFile, first: SampledFile): string {
  return `${file.name} is left out: it is not in the encoding of ${first.name}. Save both as UTF-8.`;
}

/** Columns without names are known by their place, which says nothing where one row is longer than another. */
function differInNamelessColumns(file: EdgeFile | NodeFile, first: EdgeFile | NodeFile): boolean {
  const areNodes = file.kind === "nodes" && isNameless(file) && isNameless(first);
  return areNodes && file.columns.length !== first.columns.length;
}

function otherWidth(file: SampledFile, first: SampledFile): string {
  return `${file.name} is left out, with all its nodes: it has ${file.columns.length} columns without names and ${first.name} has ${first.columns.length}. Name the columns of both.`;
}

function leftOut(file: EdgeFile | NodeFile, first: EdgeFile | NodeFile, lacks: readonly string[]): string {
  const what = file.kind === "edges" ? "all its edges" : "all its nodes";
  const names = lacks.map((name) => `"${name}"`).join(", ");
  return `${file.name} is left out, with ${what}: it has no column ${names} as ${first.name} has. Give both the same names of columns, or choose "not used" for what it lacks.`;
}

/** A second table of the same nodes, such as their labels apart from their features; null: it is none. */
function otherColumns(file: EdgeFile | NodeFile, first: EdgeFile | NodeFile): string | null {
  if (file.kind !== "nodes" || first.kind !== "nodes" || isNameless(file) || isNameless(first)) return null;
  const [id, own] = [first.roles.indexOf("id"), file.roles.indexOf("id")];
  if (overlap(valuesOf(file.rows, own), new Set(valuesOf(first.rows, id))) < 0.5) return null;
  return joinAdvice({ file, id: own }, { file: first, id });
}
