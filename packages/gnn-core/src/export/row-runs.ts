/** A range of rows that is read in one go, and the wanted ones in it. */
export interface RowRun {
  readonly start: number;
  readonly count: number;
  /** The wanted rows, ascending */
  readonly rows: Int32Array;
}

/** Rows that lie this near are read in one go: those between them cost less than another read. */
const nearRows = 256;
/** What one read takes at most, so that its memory does not grow with the graph. */
const mostRowsPerRead = 65_536;

/** @param rows ascending */
export function* rowRuns(rows: Int32Array): Generator<RowRun> {
  for (let first = 0; first < rows.length; ) {
    const start = rows[first]!;
    let end = first + 1;
    while (end < rows.length && rows[end]! - rows[end - 1]! <= nearRows && rows[end]! - start < mostRowsPerRead) end++;
    yield { start, count: rows[end - 1]! - start + 1, rows: rows.subarray(first, end) };
    first = end;
  }
}
