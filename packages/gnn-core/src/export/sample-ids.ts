import type { IdBatch, NodeIds } from "./node-ids.ts";

/** Ids as UTF-8 text: that of row `i` lies between `offsets[i]` and `offsets[i + 1]`. */
export interface IdTexts {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
}

/** Rows that lie this near are read in one go: the ids between them cost less than another read. */
const nearRows = 256;
/** What one read takes at most, so that its memory does not grow with the graph. */
const mostRowsPerRead = 65_536;

/** A range of rows that is read in one go, and the wanted ones in it. */
interface Run {
  readonly start: number;
  readonly count: number;
  readonly rows: Int32Array;
}

/**
 * The original ids of some rows. Memory: those ids, and one read of at most 65,536 rows, however many the graph has.
 *
 * @param rows ascending
 * @param onRead called with the number of rows that are done
 */
export async function sampleIds(ids: NodeIds, rows: Int32Array, onRead: (numDone: number) => void): Promise<IdTexts> {
  const offsets = new Int32Array(rows.length + 1);
  const texts: Uint8Array[] = [];
  let numDone = 0;
  let numBytes = 0;
  for (const run of runsOf(rows)) {
    const batch = await ids.read(run.start, run.count);
    for (const row of run.rows) {
      const text = textAt(batch, row - run.start);
      texts.push(text);
      numBytes += text.length;
      offsets[++numDone] = numBytes;
    }
    onRead(numDone);
  }
  return { offsets, bytes: new Uint8Array(Buffer.concat(texts)) };
}

function textAt(batch: IdBatch, index: number): Uint8Array {
  if (batch.type === "int64") return Buffer.from(String(batch.values[index]));
  // A copy: the wanted ids must not keep all that was read with them.
  return batch.bytes.slice(batch.offsets[index], batch.offsets[index + 1]);
}

function* runsOf(rows: Int32Array): Generator<Run> {
  for (let first = 0; first < rows.length; ) {
    const start = rows[first]!;
    let end = first + 1;
    while (end < rows.length && rows[end]! - rows[end - 1]! <= nearRows && rows[end]! - start < mostRowsPerRead) end++;
    yield { start, count: rows[end - 1]! - start + 1, rows: rows.subarray(first, end) };
    first = end;
  }
}
