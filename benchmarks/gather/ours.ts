/**
 * Reading feature rows by random ids, as a mini-batch does, from each way to store them.
 *
 * Figure: GB of float32 rows per second of CPU time from fp32 storage; `details.gigabytesPerSecond` has fp16 and int8
 * too, decoded on the way, and `details.storedBytes` what each takes.
 * Ceiling: a plain copy of as many bytes in a row, measured in the same run.
 *
 *   ours.ts [--small]   rows that only show that the benchmark runs
 */
import { cpus } from "node:os";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { encodeRows, fitColumnScale } from "../../packages/gnn-core/src/features/encode-rows.ts";
import { type FeatureDtype, featureDtypes } from "../../packages/gnn-core/src/features/feature-dtype.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { cpuSeconds, median } from "../epoch/cpu-clock.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const isSmall = process.argv.includes("--small");
const numRows = isSmall ? 1000 : 1_000_000;
const dim = 100;
const numIds = isSmall ? 500 : 100_000;
const repeats = isSmall ? 3 : 15;
const random = new SeededRandom(1);

const values = Float32Array.from({ length: numRows * dim }, () => random.uniform() - 0.5);
const exact = new DenseFeatureStore(dim, [values]);
const columns = await fitColumnScale(exact);
const all = Int32Array.from({ length: numRows }, (_, row) => row);

function storeOf(dtype: FeatureDtype): { store: DenseFeatureStore; bytes: number } {
  const stored = encodeRows({ kind: "dense", numRows, dim, values }, all, dtype, columns);
  return { store: new DenseFeatureStore(dim, [stored], columns), bytes: stored.byteLength };
}

const stores = featureDtypes.map((dtype) => ({ dtype, ...storeOf(dtype), seconds: [] as number[] }));
const copied = new Float32Array(numIds * dim);
const copySeconds: number[] = [];
// Other work on the machine hits all of them alike: they take turns.
for (let repeat = 0; repeat <= repeats; repeat++) {
  const ids = Int32Array.from({ length: numIds }, () => random.integer(numRows));
  for (const { store, seconds } of stores) {
    seconds.push(secondsOf(() => store.gather(ids)));
    await recycle();
  }
  const first = random.integer(numRows - numIds + 1) * dim;
  copySeconds.push(secondsOf(() => copied.set(values.subarray(first, first + copied.length))));
}

/**
 * Gives the rows' memory back to the pool, where a training step finds it; fresh pages would cost more than the rows.
 */
async function recycle(): Promise<void> {
  collectGarbage();
  await setImmediate();
}

function secondsOf(work: () => unknown): number {
  const before = cpuSeconds();
  work();
  return cpuSeconds() - before;
}

/** GB/s, the first and cold round left out. */
const rateOf = (seconds: readonly number[]) => copied.byteLength / median(seconds.slice(1)) / 1e9;
const rates = Object.fromEntries(stores.map(({ dtype, seconds }) => [dtype, rateOf(seconds)]));
const line = {
  topic: "gather",
  figure: rates["fp32"],
  unit: "GB/CPU-s",
  better: "higher",
  ceiling: rateOf(copySeconds),
  details: {
    rows: numRows,
    dim,
    rowsPerGather: numIds,
    gigabytesPerSecond: rates,
    storedBytes: Object.fromEntries(stores.map(({ dtype, bytes }) => [dtype, bytes])),
    cpu: cpus()[0]?.model ?? "unknown",
  },
};
console.log(JSON.stringify(line));
