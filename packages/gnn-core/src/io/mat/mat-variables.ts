import { MatDamage } from "./mat-elements.ts";

/** A sparse matrix by columns, as MATLAB stores all of them. */
export interface MatSparse {
  readonly kind: "sparse";
  readonly name: string;
  readonly shape: readonly [rows: number, columns: number];
  /** [columns + 1] */
  readonly offsets: Float64Array;
  readonly rows: Float64Array;
  readonly values: Float64Array;
}

/** Numbers, the first index fastest. */
export interface MatNumbers {
  readonly kind: "numbers";
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Texts, cells, and what else nobody reads of a graph */
export interface MatOther {
  readonly kind: "other";
  readonly name: string;
}
export type MatVariable = MatSparse | MatNumbers | MatOther;

/** A matrix that is there to be read. */
export interface MatMatrix {
  readonly kind: "sparse" | "numbers";
  readonly name: string;
  readonly shape: readonly number[];
}

/** What a MAT-file holds: fields of structures go by their own names. */
export interface MatContents {
  readonly variables: readonly (MatMatrix | MatOther)[];
  /** @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
  read(matrix: MatMatrix): Promise<MatSparse | MatNumbers>;
}

/** @throws MatDamage when the columns of a sparse matrix do not fit together */
export function wholeSparse(
  name: string,
  [numRows, numColumns]: readonly [number, number],
  found: Pick<MatSparse, "offsets" | "rows" | "values">,
): MatSparse {
  const { offsets } = found;
  const numEntries = offsets.at(-1) ?? 0;
  const isOrdered = offsets.every((at, i) => (i === 0 ? at === 0 : at >= offsets[i - 1]!));
  // Room that was made and not used may lie behind the entries.
  const fits =
    offsets.length === numColumns + 1 && numEntries <= found.rows.length && numEntries <= found.values.length;
  if (!fits || !isOrdered) throw new MatDamage(`the columns of the matrix ${name} do not fit together`);
  const [rows, values] = [found.rows.subarray(0, numEntries), found.values.subarray(0, numEntries)];
  if (rows.some((row) => !(row >= 0 && row < numRows)))
    throw new MatDamage(`the matrix ${name} has an entry in a row that it does not have`);
  return { kind: "sparse", name, shape: [numRows, numColumns], offsets, rows, values };
}
