import { baseName } from "./base-name.ts";
import { plainName } from "./column-names.ts";
import { areDistinct, overlap, valuesOf } from "./column-values.ts";
import { shapeOf } from "./find-relations.ts";
import { isWhole } from "./joined-samples.ts";
import { isNameless, namelessKind } from "./nameless.ts";
import type { NodeRoles } from "./node-roles.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";
import { hasAspect } from "./second-tables.ts";

export type EdgeFile = SampledFile & FileRoles & { readonly kind: "edges" };
export type NodeFile = SampledFile & NodeRoles & { readonly kind: "nodes" };

/**
 * The first file, its name speaking of nodes or edges if one's does, and those that have all columns which it is used
 * by; further tables of the same nodes; about each of the others, which columns it lacks.
 */
export function readTogether<F extends EdgeFile | NodeFile>(
  files: readonly F[],
): { used: F[]; seconds: F[]; notes: string[] } {
  const first = firstOf(files);
  if (!first) return { used: [], seconds: [], notes: [] };
  const needed = first.columns.filter((_, i) => isNeeded(first.roles[i])).map(({ name }) => name);
  const used: F[] = [];
  const seconds: F[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const lacks = needed.filter((column) => !file.columns.some(({ name }) => name === column));
    if (isSecond(file, first)) seconds.push(file);
    else if (differInNamelessColumns(file, first)) notes.push(otherWidth(file, first));
    else if (lacks.length === 0 && haveTwoEncodings(file, first)) notes.push(inAnotherEncoding(file, first));
    else if (lacks.length === 0 && file.reader === first.reader) used.push(file);
    else if (lacks.length === 0)
      notes.push(
        `${file.name} is left out: it is read by ${file.reader}, ${first.name} by ${first.reader}. Write both in one form.`,
      );
    else notes.push(leftOut(file, first, lacks));
  }
  return { used, seconds, notes };
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

/** The file that others are read like; a table of labels gives way to one of the nodes that these are about. */
function firstOf<F extends EdgeFile | NodeFile>(files: readonly F[]): F | undefined {
  const first = files.find(({ name }) => /node|vert|edge|knoten|kanten/i.test(baseName(name))) ?? files[0];
  if (first?.kind !== "nodes" || !isSpared(first)) return first;
  if (first.reader === "json-lists") {
    const table = files.find((file) => file.reader !== "json-lists" && isSecond(first, file));
    if (table) return table;
  }
  return files.find((file) => file !== first && !isSpared(file) && isSecond(first, file)) ?? first;
}

/** Whether it tells of some nodes, as labels and lists do, or as little as a list */
function isSpared(file: SampledFile): boolean {
  return hasAspect(file) || file.columns.length === 1;
}

/**
 * A second table of the same nodes, such as their labels apart from their features: with other columns, and the ids of
 * the first one. Where files are longer than what was looked at, they may begin with other nodes: names have to tell.
 */
function isSecond(file: EdgeFile | NodeFile, first: EdgeFile | NodeFile): boolean {
  if (file === first || file.kind !== "nodes" || first.kind !== "nodes" || haveSameColumns(file, first)) return false;
  const [id, own] = [first, file].map(({ roles }) => roles.indexOf("id")) as [number, number];
  const [ids, theirs] = [valuesOf(file.rows, own), valuesOf(first.rows, id)];
  if (!areDistinct(ids) || !areDistinct(theirs)) return false;
  // Rows of features without names may be about other nodes of other features, as those of ego networks are.
  if (isNameless(file) && isNameless(first) && namelessKind(file) === namelessKind(first)) return false;
  const shared = overlap(ids, new Set(theirs));
  if (shared >= (isNameless(file) || isNameless(first) ? 0.9 : 0.5)) return true;
  const areCut = !isWhole(file) && !isWhole(first);
  const [called, theirName] = [file.columns[own]!.name, first.columns[id]!.name].map(plainName);
  // Lists by key have no name for their ids.
  const isCalledSo = called === theirName || [file, first].some(({ reader }) => reader === "json-lists");
  return areCut && isCalledSo && hasAspect(file) && shapeOf(ids[0] ?? "") === shapeOf(theirs[0] ?? "");
}

function haveSameColumns(one: SampledFile, other: SampledFile): boolean {
  const names = ({ columns }: SampledFile) => JSON.stringify(columns.map(({ name }) => name));
  return names(one) === names(other);
}
