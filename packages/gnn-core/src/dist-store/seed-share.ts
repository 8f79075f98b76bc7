import { concatInt32 } from "../io/concat-arrays.ts";
import { evenOffsets } from "../partition/row-schema.ts";
import type { DistStore } from "./dist-store.ts";
import type { DistTensor } from "./dist-tensor.ts";

// Rows of a foreign mask that are read at once.
const rowsPerRead = 1 << 16;
// Counts travel as two numbers below 2^24: exact in float32.
const base = 1 << 24;

/** One rank's share of the seeds of an epoch: sizes differ by at most one between ranks. */
export class SeedShare {
  /** Global ids, ascending; mostly those that the rank owns */
  readonly ids: Int32Array;
  /** Seeds of all ranks together */
  readonly total: number;
  readonly #worldSize: number;

  constructor(ids: Int32Array, total: number, worldSize: number) {
    this.ids = ids;
    this.total = total;
    this.#worldSize = worldSize;
  }

  /** Steps that the ranks take with `batchSize` seeds each: the same number on all of them. */
  numSteps(batchSize: number): number {
    return Math.ceil(Math.ceil(this.total / this.#worldSize) / batchSize);
  }

  /** One batch for each step, the last ones of a rank possibly smaller or empty. Views, not copies. */
  batches(batchSize: number): Int32Array[] {
    return Array.from({ length: this.numSteps(batchSize) }, (_, step) =>
      this.ids.subarray(step * batchSize, (step + 1) * batchSize),
    );
  }
}

/**
 * Splits the rows whose mask has `value`: rank r of k gets [⌊r·n/k⌋, ⌊(r+1)·n/k⌋) of them in ascending order, which
 * are its own but for what evens the ranks out. Every rank calls it alike. DGL: node_split, edge_split.
 */
export async function splitByMask(
  store: DistStore,
  mask: DistTensor<"int8"> | DistTensor<"uint8">,
  offsets: readonly number[],
  value: number,
): Promise<SeedShare> {
  const { rank, worldSize, collective } = store.rank;
  const own = selected(mask.local, mask.first, value);
  const slots = new Float32Array(2 * worldSize);
  slots.set([Math.floor(own.length / base), own.length % base], 2 * rank);
  await collective.allReduceSum(slots);
  const counts = Array.from(
    { length: worldSize },
    (_, r) => (slots[2 * r] as number) * base + (slots[2 * r + 1] as number),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const ranges = evenOffsets(total, worldSize);
  const first = ranges[rank] as number;
  const end = ranges[rank + 1] as number;
  const ids: Int32Array[] = [];
  let passed = 0;
  for (const [owner, count] of counts.entries()) {
    const from = Math.max(0, first - passed);
    const to = Math.min(count, end - passed);
    passed += count;
    if (from >= to) continue;
    const theirs = owner === rank ? own : await selectedOf(mask, offsets, owner, value, to);
    ids.push(theirs.subarray(from, to));
  }
  return new SeedShare(concatInt32(ids), total, worldSize);
}

function selected(mask: ArrayLike<number>, first: number, value: number): Int32Array {
  const ids: number[] = [];
  for (let i = 0; i < mask.length; i++) if (mask[i] === value) ids.push(first + i);
  return Int32Array.from(ids);
}

/** The first `needed` rows of another rank whose mask has the value. */
async function selectedOf(
  mask: DistTensor<"int8"> | DistTensor<"uint8">,
  offsets: readonly number[],
  owner: number,
  value: number,
  needed: number,
): Promise<Int32Array> {
  const end = offsets[owner + 1] as number;
  const found: Int32Array[] = [];
  let numFound = 0;
  for (let first = offsets[owner] as number; first < end && numFound < needed; first += rowsPerRead) {
    const count = Math.min(rowsPerRead, end - first);
    const rows = await mask.get(Int32Array.from({ length: count }, (_, i) => first + i));
    const ids = selected(rows, first, value);
    found.push(ids);
    numFound += ids.length;
  }
  return concatInt32(found);
}
