import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { type FeatureColumn, featureLayoutOf } from "../../io/ingest/feature-layout.ts";
import { multiHotName } from "../../io/ingest/index-lists.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { type OneHotColumn, oneHotDim } from "../../io/ingest/one-hot.ts";
import { defaultReadingLimits } from "../../io/limits/reading-limits.ts";
import { type FeatureSection, featureSections } from "./feature-sections.ts";
import { type FeatureCell, type NewNode, placeOf, some } from "./new-node.ts";

/** Turns what a new node is given with into its row of features. */
export interface FeatureReader {
  readonly dim: number;
  /**
   * @param at the position of the node in its list, for errors
   * @param type of the node: an index into the graph's types of nodes; 0 where they have none
   * @param row float32 [dim] of zeros, which is filled
   * @throws GnnError SPEC_INVALID naming the column that is missing, unknown, or no finite number of single precision
   */
  read(features: NewNode["features"], at: number, type: number, row: Float32Array): void;
}

/** Reads the columns of one table. */
type ReadRow = (features: NewNode["features"], at: number, row: Float32Array) => void;

/**
 * Reads features as the ingest of the dataset did: the same columns, kinds, vectors and fillings, of the node's type
 * where each has its own.
 *
 * @param info of the graph
 * @param spec with which it was ingested
 */
export function featureReader(
  info: Pick<GraphInfo, "features" | "nodeTypes">,
  spec: Pick<DatasetSpec, "nodes" | "nodeTypes">,
): FeatureReader {
  const { dim } = info.features;
  const parts = featureSections(info, spec);
  const readers = parts.map((part) => sectionReader(part, info.features.kind === "none"));
  const areTyped = info.features.types !== undefined;
  const placeOfType = info.nodeTypes.map((name) => parts.findIndex(({ type }) => type === name));
  return {
    dim,
    read: (features, at, type, row) => {
      const place = areTyped ? (placeOfType[type] ?? -1) : 0;
      const part = parts[place];
      const read = readers[place];
      // A type that the features do not know has none.
      if (!part || !read) return refuseAny("nodes of its type have")(features, at, row);
      read(features, at, row.subarray(part.first, part.first + part.dim));
    },
  };
}

function sectionReader({ type, dim, section, kinds }: FeatureSection, areNone: boolean): ReadRow {
  if (areNone || dim === 0) return refuseAny(type === null ? "the graph has" : `nodes of the type ${type} have`);
  if (!section?.features || "file" in section.features) return matrixReader(dim);
  const layout = featureLayoutOf(section, defaultReadingLimits, oneHotDim(kinds));
  const lists = multiHotName(section);
  return columnReader(layout.columns, kinds, lists === null ? null : { name: lists, first: layout.dim, end: dim });
}

function refuseAny(whoHas: string): ReadRow {
  return (features, at) => {
    if (features === undefined) return;
    throw invalid(`${whoHas} no features; leave them out.`, at);
  };
}

/** The columns [first, end) of the features, of which lists of indices say where they are 1 */
interface ListedColumns {
  readonly name: string;
  readonly first: number;
  readonly end: number;
}

function columnReader(
  columns: readonly FeatureColumn[],
  kinds: readonly OneHotColumn[],
  listed: ListedColumns | null,
): ReadRow {
  const names = new Set([...kinds, ...columns, ...(listed ? [listed] : [])].map(({ name }) => name));
  return (features, at, row) => {
    if (!isRecord(features)) {
      throw invalid(`expected an object of its columns: ${some([...names])}.`, at);
    }
    const unknown = Object.keys(features).find((name) => !names.has(name));
    if (unknown !== undefined) throw invalid(`there is no such column; expected ${some([...names])}.`, at, unknown);
    let first = 0;
    for (const column of kinds) {
      const value = column.values.indexOf(kindOf(features, column, at));
      if (value < 0) throw invalid(`there is no such kind; expected one of ${some(column.values)}.`, at, column.name);
      row[first + value] = 1;
      first += column.values.length;
    }
    for (const column of columns) readColumn(column, own(features, column.name), at, row);
    if (listed) readIndices(listed, own(features, listed.name), at, row);
  };
}

/** A node without a list has none of them, as in the files. */
function readIndices(
  { name, first, end }: ListedColumns,
  cell: FeatureCell | undefined,
  at: number,
  row: Float32Array,
) {
  if (cell === undefined || cell === null) return;
  if (!Array.isArray(cell)) throw invalid("expected a list of indices.", at, name);
  for (const [i, index] of cell.entries()) {
    const isOne = Number.isInteger(index) && index >= 0 && first + index < end;
    if (!isOne) throw invalid(`expected indices from 0 to ${end - first - 1}.`, at, name, i);
    row[first + index] = 1;
  }
}

function kindOf(features: Readonly<Record<string, FeatureCell>>, { name }: OneHotColumn, at: number): string {
  const cell = own(features, name);
  if (typeof cell === "string" || typeof cell === "number") return String(cell).trim();
  throw invalid("expected a kind.", at, name);
}

function readColumn(column: FeatureColumn, cell: FeatureCell | undefined, at: number, row: Float32Array): void {
  const { name, first, width, missing } = column;
  const count = width ?? 1;
  if (cell === undefined || cell === null) {
    if (missing === null) throw invalid("it is missing; expected a number or numbers, as of every node.", at, name);
    if (missing.fill === "mean") {
      throw invalid(
        "it is missing; the mean that the dataset took in its place is not kept, so give a number.",
        at,
        name,
      );
    }
    row.fill(missing.fill, first, first + count);
    if (missing.indicator) row[first + count] = 1;
    return;
  }
  const numbers = width === null ? [cell] : cell;
  if (!Array.isArray(numbers) || numbers.length !== count) {
    throw invalid(`expected a list of ${count} numbers.`, at, name);
  }
  for (const [i, number] of numbers.entries()) {
    row[first + i] = finite(number, at, ...(width === null ? [name] : [name, i]));
  }
}

/** Features from a matrix have no names: all of a row, or what of it is not 0 by its column. */
function matrixReader(dim: number): ReadRow {
  return (features, at, row) => {
    if (isRecord(features)) {
      for (const [name, cell] of Object.entries(features)) {
        const column = /^\d{1,9}$/.test(name) ? Number(name) : dim;
        if (column >= dim) throw invalid(`there is no such column; expected 0 to ${dim - 1}.`, at, name);
        row[column] = finite(cell, at, name);
      }
      return;
    }
    if (features?.length !== dim) {
      const found = features === undefined ? "they are missing" : `there are ${features.length} numbers`;
      throw invalid(`${found}; expected ${dim}, or an object of those that are not 0 by their columns.`, at);
    }
    for (const [column, number] of features.entries()) row[column] = finite(number, at, column);
  };
}

function finite(cell: unknown, at: number, ...path: readonly (string | number)[]): number {
  const value = typeof cell === "number" ? Math.fround(cell) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw invalid("expected a finite number of single precision.", at, ...path);
}

function isRecord(features: NewNode["features"]): features is Readonly<Record<string, FeatureCell>> {
  return features !== undefined && !Array.isArray(features);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function invalid(what: string, at: number, ...path: readonly (string | number)[]): GnnError {
  const where = path.length === 0 ? "The features" : `The feature ${JSON.stringify(String(path[0]).slice(0, 100))}`;
  return new GnnError("SPEC_INVALID", `${where} of new node ${at}: ${what}`, {
    place: placeOf(at, "features", ...path),
  });
}
