import type { IdBatch, NodeIds } from "./node-ids.ts";
import { rowRuns } from "./row-runs.ts";

/** Ids as UTF-8 text: that of row `i` lies between `offsets[i]` and `offsets[i + 1]`. */
export interface IdTexts {
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
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
  for (const run of rowRuns(rows)) {
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
