import { GnnError } from "../../errors/gnn-error.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { type FeatureColumn, featureLayoutOf } from "../../io/ingest/feature-layout.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { type OneHotColumn, oneHotDim } from "../../io/ingest/one-hot.ts";
import { defaultReadingLimits } from "../../io/limits/reading-limits.ts";
import { type FeatureCell, type NewNode, placeOf } from "./new-node.ts";

/** Turns what a new node is given with into its row of features. */
export interface FeatureReader {
  readonly dim: number;
  /**
   * @param at the position of the node in its list, for errors
   * @param row float32 [dim] of zeros, which is filled
   * @throws GnnError SPEC_INVALID naming the column that is missing, unknown, or no finite number of single precision
   */
  read(features: NewNode["features"], at: number, row: Float32Array): void;
}

/**
 * Reads features as the ingest of the dataset did: the same columns, kinds, vectors and fillings.
 *
 * @param info of the graph
 * @param spec with which it was ingested
 */
export function featureReader(info: Pick<GraphInfo, "features">, { nodes }: DatasetSpec): FeatureReader {
  const { dim, kind } = info.features;
  if (kind === "none") return { dim: 0, read: refuseAny };
  if (!nodes?.features || "file" in nodes.features) return matrixReader(dim);
  const kinds = info.features.oneHot ?? [];
  const { columns } = featureLayoutOf(nodes, defaultReadingLimits, oneHotDim(kinds));
  return columnReader(dim, columns, kinds);
}

function refuseAny(features: NewNode["features"], at: number): void {
  if (features === undefined) return;
  throw invalid("the graph has no features; leave them out.", at);
}

function columnReader(dim: number, columns: readonly FeatureColumn[], kinds: readonly OneHotColumn[]): FeatureReader {
  const names = new Set([...kinds, ...columns].map(({ name }) => name));
  const read: FeatureReader["read"] = (features, at, row) => {
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
  };
  return { dim, read };
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
function matrixReader(dim: number): FeatureReader {
  const read: FeatureReader["read"] = (features, at, row) => {
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
  return { dim, read };
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

function some(names: readonly string[]): string {
  return `${names.slice(0, 20).join(", ")}${names.length > 20 ? `, … (${names.length} in all)` : ""}`;
}

function invalid(what: string, at: number, ...path: readonly (string | number)[]): GnnError {
  const where = path.length === 0 ? "The features" : `The feature ${JSON.stringify(String(path[0]).slice(0, 100))}`;
  return new GnnError("SPEC_INVALID", `${where} of new node ${at}: ${what}`, {
    place: placeOf(at, "features", ...path),
  });
}
