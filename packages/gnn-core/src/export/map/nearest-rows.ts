import { loadAddon } from "../../backends/native/addon.ts";
import { nativeSync } from "../../backends/native/native-error.ts";

/** The rows most alike each row, the most alike first. */
export interface NearestRows {
  /** How many each row has: fewer than asked for where there are not so many other rows */
  readonly count: number;
  /** int32 [numRows, count], row numbers */
  readonly rows: Int32Array;
  /** Cosine of the angle between the two, in [−1, 1]; float32 [numRows, count] */
  readonly similarities: Float32Array;
}

const blockRows = 256;

/**
 * The `count` nearest rows of each row by cosine, found exactly: every row is compared with every other, in blocks of
 * 256 rows, so that memory is 256 × numRows float32. Of equally near rows those with the lower number come first. A row
 * of zeros is at a right angle to all.
 *
 * @param rows     float32 [numRows, dim]
 * @param onBlock  called with the number of rows that are done; may throw to end the search
 */
export async function nearestRows(
  rows: Float32Array,
  dim: number,
  count: number,
  onBlock: (numDone: number) => void = () => undefined,
): Promise<NearestRows> {
  const numRows = rows.length / Math.max(1, dim);
  const found = new Best(numRows, Math.max(0, Math.min(count, numRows - 1)));
  const unit = ofLengthOne(rows, dim);
  const products = new Float32Array(Math.min(blockRows, numRows) * numRows);
  for (let first = 0; first < numRows && found.count > 0; first += blockRows) {
    const size = Math.min(blockRows, numRows - first);
    const block = unit.subarray(first * dim, (first + size) * dim);
    nativeSync(() =>
      loadAddon().sgemm(false, true, size, numRows, dim, block, unit, products.subarray(0, size * numRows)),
    );
    for (let i = 0; i < size; i++) found.take(first + i, products.subarray(i * numRows, (i + 1) * numRows));
    onBlock(first + size);
    // Lets the process answer whoever asks whether it is alive, or tells it to stop.
    await new Promise(setImmediate);
  }
  return found;
}

class Best implements NearestRows {
  readonly rows: Int32Array;
  readonly similarities: Float32Array;
  readonly count: number;

  constructor(numRows: number, count: number) {
    this.count = count;
    this.rows = new Int32Array(numRows * count);
    this.similarities = new Float32Array(numRows * count).fill(Number.NEGATIVE_INFINITY);
  }

  /** Keeps the best of one row's products with all rows; a later one must be better than the worst to get in. */
  take(row: number, products: Float32Array): void {
    const { count } = this;
    const rows = this.rows.subarray(row * count, (row + 1) * count);
    const similarities = this.similarities.subarray(row * count, (row + 1) * count);
    for (let other = 0; other < products.length; other++) {
      const similarity = products[other]!;
      if (similarity <= similarities[count - 1]! || other === row) continue;
      let at = count - 1;
      for (; at > 0 && similarities[at - 1]! < similarity; at--) {
        similarities[at] = similarities[at - 1]!;
        rows[at] = rows[at - 1]!;
      }
      similarities[at] = similarity;
      rows[at] = other;
    }
    for (let i = 0; i < count; i++) similarities[i] = Math.max(-1, Math.min(1, similarities[i]!));
  }
}

function ofLengthOne(rows: Float32Array, dim: number): Float32Array {
  const unit = Float32Array.from(rows);
  for (let start = 0; start < unit.length; start += dim) {
    let squares = 0;
    for (let i = start; i < start + dim; i++) squares += unit[i]! ** 2;
    const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
    for (let i = start; i < start + dim; i++) unit[i] = unit[i]! * scale;
  }
  return unit;
}
