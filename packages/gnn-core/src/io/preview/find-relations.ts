import { columnNamed, columnNames } from "./column-names.ts";
import { valuesOf } from "./column-values.ts";
import { type EdgeEnds, edgeEnds } from "./edge-roles.ts";
import type { SampledFile } from "./sampled-file.ts";
import { relationOfFile, typeOfColumn } from "./type-names.ts";

/** A type of node, and how the ids look that its file was seen to hold. */
export interface FoundType {
  readonly name: string;
  readonly ids: ReadonlySet<string>;
  readonly shapes: ReadonlySet<string>;
}

export interface FoundRelation {
  readonly file: SampledFile;
  /** All files of its edges; left out: the one */
  readonly files?: readonly string[];
  /** Columns about which nothing is left to be said */
  readonly explained?: readonly number[];
  readonly ends: EdgeEnds;
  readonly source: string;
  readonly name: string;
  readonly target: string;
}

/** The file's two columns that hold ids of types: called as types are, else as the ends of edges are. */
export function endsOfTypes(file: SampledFile, types: readonly string[]): EdgeEnds | null {
  const called = file.columns.flatMap(({ name }, i) => (typeOfColumn(name, types) === null ? [] : [i]));
  const [src, dst] = called;
  // A table of nodes may name others, as papers do their author and venue; it has an id of its own beside them.
  const isOfNodes = columnNamed(file.columns, columnNames.id) >= 0;
  if (!isOfNodes && called.length === 2 && src !== undefined && dst !== undefined) return { src, dst };
  return edgeEnds(file);
}

/**
 * Which types the edges of a file join: by the names of its columns, else by the file's name, else by ids that one type
 * alone has, or has one of that shape. Null: none of these tells.
 */
export function findRelation(file: SampledFile, ends: EdgeEnds, types: readonly FoundType[]): FoundRelation | null {
  const names = types.map(({ name }) => name);
  const called = relationOfFile(file.name, names);
  const typeOf = (column: number, byFile: string | null) =>
    typeOfColumn(file.columns[column]!.name, names) ?? byFile ?? typeByIds(file, column, types);
  const source = typeOf(ends.src, called.source);
  const target = typeOf(ends.dst, called.target);
  return source && target ? { file, ends, source, name: called.name, target } : null;
}

function typeByIds(file: SampledFile, column: number, types: readonly FoundType[]): string | null {
  const values = valuesOf(file.rows, column);
  const only = (has: (type: FoundType) => boolean) => {
    const found = types.filter(has);
    return found.length === 1 ? found[0]!.name : null;
  };
  const shapes = [...new Set(values.map(shapeOf))];
  return (
    only(({ ids }) => values.some((value) => ids.has(value))) ??
    only(({ ids }) => values.length > 0 && values.every((value) => ids.has(value))) ??
    only((type) => shapes.length > 0 && shapes.every((shape) => type.shapes.has(shape)))
  );
}

/** `p4017` → `p#`: ids of one type often have the same letters. */
export function shapeOf(id: string): string {
  return id.replaceAll(/\d+/g, "#");
}
