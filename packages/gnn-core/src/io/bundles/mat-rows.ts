import type { MatNumbers, MatSparse } from "../mat/mat-variables.ts";

/** A matrix by its rows, without its zeros */
export interface RowMatrix {
  readonly shape: readonly [rows: number, columns: number];
  /** [rows + 1] */
  readonly offsets: Float64Array;
  /** Ascending within a row */
  readonly columns: Float64Array;
  readonly values: Float64Array;
}

/** A matrix of MATLAB, which lies there column by column. */
export function byRows(matrix: MatSparse | MatNumbers): RowMatrix {
  const [numRows = 0, numColumns = 0] = matrix.shape;
  const offsets = new Float64Array(numRows + 1);
  eachEntry(matrix, (row) => {
    offsets[row + 1]! += 1;
  });
  for (let row = 0; row < numRows; row++) offsets[row + 1]! += offsets[row]!;
  const found = { columns: new Float64Array(offsets[numRows]!), values: new Float64Array(offsets[numRows]!) };
  const next = offsets.slice();
  eachEntry(matrix, (row, column, value) => {
    const at = next[row]!++;
    found.columns[at] = column;
    found.values[at] = value;
  });
  return { shape: [numRows, numColumns], offsets, ...found };
}

/** Every entry that is not 0, column by column */
function eachEntry(matrix: MatSparse | MatNumbers, take: (row: number, column: number, value: number) => void): void {
  if (matrix.kind === "sparse") {
    const { offsets, rows, values } = matrix;
    for (let column = 0; column + 1 < offsets.length; column++) {
      for (let at = offsets[column]!; at < offsets[column + 1]!; at++) {
        if (values[at] !== 0) take(rows[at]!, column, values[at]!);
      }
    }
    return;
  }
  const [numRows = 0] = matrix.shape;
  matrix.values.forEach((value, at) => {
    if (value !== 0) take(at % numRows, Math.floor(at / numRows), value);
  });
}
