/**
 * The nearest of a million rows of 128 columns to some vectors, exactly, on one thread.
 *
 * Figure: billions of multiplications and additions per CPU second while 96 queries are answered in one pass over the
 * rows, all that a search does beside its product counted in.
 * Ceiling: oneDNN's product of two matrices of 1,536 rows and columns, measured in the same run.
 * `details.single` is one query alone: GB of rows per CPU second, beside a plain copy of as many bytes.
 *
 *   ours.ts [--small]        rows that only show that the benchmark runs
 *   ours.ts --rows 10000000  others than a million
 */
import { cpus } from "node:os";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { NearestSearch, type NeighborMetric } from "../../packages/gnn-core/src/serving/nearest-search.ts";
import { setSearchThreads } from "../../packages/gnn-core/src/serving/search-threads.ts";
import { cpuSeconds, median } from "../epoch/cpu-clock.ts";

const isSmall = process.argv.includes("--small");
const given = process.argv.indexOf("--rows");
const numRows = given > 0 ? Number(process.argv[given + 1]) : isSmall ? 2000 : 1_000_000;
const dim = 128;
const k = 10;
const atOnce = 96;
const repeats = isSmall ? 3 : 7;
const random = new SeededRandom(1);

setSearchThreads(1);
const rows = new Float32Array(numRows * dim);
for (let i = 0; i < rows.length; i++) rows[i] = random.uniform() - 0.5;
const search = await NearestSearch.open(rows, dim);

async function secondsOf(work: () => unknown): Promise<number> {
  const before = cpuSeconds();
  await work();
  return cpuSeconds() - before;
}

function find(numQueries: number, metric: NeighborMetric) {
  const queries = Array.from({ length: numQueries }, () =>
    Float32Array.from({ length: dim }, () => random.uniform() - 0.5),
  );
  return () => Promise.all(queries.map((vector) => search.find({ vector, k, metric })));
}

const side = isSmall ? 192 : 1536;
const [a, b, c] = Array.from({ length: 3 }, () => new Float32Array(side * side).fill(0.5)) as [
  Float32Array,
  Float32Array,
  Float32Array,
];
const copied = new Float32Array(Math.min(rows.length, 2 ** 26));
const measured = {
  many: [] as number[],
  single: [] as number[],
  l2: [] as number[],
  product: [] as number[],
  copy: [] as number[],
};
// Other work on the machine hits all of them alike: they take turns.
for (let repeat = 0; repeat <= repeats; repeat++) {
  measured.many.push(await secondsOf(find(atOnce, "cosine")));
  measured.product.push(await secondsOf(() => loadAddon().sgemm(false, false, side, side, side, a, b, c)));
  measured.single.push(await secondsOf(find(1, "cosine")));
  measured.copy.push(await secondsOf(() => copied.set(rows.subarray(0, copied.length))));
  measured.l2.push(await secondsOf(find(1, "l2")));
}

/** The median of all rounds but the first and cold one */
const typical = (seconds: readonly number[]) => median(seconds.slice(1));
const gigabytes = rows.byteLength / 1e9;
const line = {
  topic: "neighbors",
  figure: (2 * atOnce * rows.length) / typical(measured.many) / 1e9,
  unit: "GFLOP/CPU-s",
  better: "higher",
  ceiling: (2 * side ** 3) / typical(measured.product) / 1e9,
  details: {
    rows: numRows,
    dim,
    k,
    queriesAtOnce: atOnce,
    queriesPerCpuSecond: atOnce / typical(measured.many),
    single: {
      milliseconds: 1000 * typical(measured.single),
      gigabytesPerSecond: gigabytes / typical(measured.single),
      l2GigabytesPerSecond: gigabytes / typical(measured.l2),
      copyGigabytesPerSecond: copied.byteLength / 1e9 / typical(measured.copy),
    },
    cpu: cpus()[0]?.model ?? "unknown",
  },
};
console.log(JSON.stringify(line));
