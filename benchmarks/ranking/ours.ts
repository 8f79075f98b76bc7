/**
 * Filtered ranks of held-out triples among all nodes, at both ends, on one thread: a knowledge graph of FB15k-237's
 * shape, made up, with rows of 128 columns and DistMult.
 *
 * Figure: billions of multiplications and additions of the products per CPU second of the whole evaluation: queries
 * gathered, known links looked up and left out, scores counted.
 * Ceiling: oneDNN's product of two matrices of 1,536 rows and columns, measured in the same run.
 *
 *   ours.ts [--small]   a graph that only shows that the benchmark runs
 */
import { cpus } from "node:os";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { TripleIndex } from "../../packages/gnn-core/src/graph/triple-index.ts";
import { distMultDecoder } from "../../packages/gnn-core/src/links/decoders/dist-mult.ts";
import { filteredFigures } from "../../packages/gnn-core/src/links/filtered-figures.ts";
import { pairsBetween } from "../../packages/gnn-core/src/links/node-pairs.ts";
import { cpuSeconds, median } from "../epoch/cpu-clock.ts";

const isSmall = process.argv.includes("--small");
const [numNodes, numRelations, numTriples, numHeldOut] = isSmall
  ? [600, 12, 4000, 300]
  : [14_541, 237, 310_116, 20_466];
const dim = 128;
const repeats = isSmall ? 2 : 5;
const random = new SeededRandom(1);

await selectBackend("native");
loadAddon().setThreads(1);
const rows = Float32Array.from({ length: numNodes * dim }, () => random.uniform() - 0.5);
const decoder = distMultDecoder({ dim, seed: 1, numRelations: 2 * numRelations });
/** Some nodes and relations come far more often than others. */
const drawn = (below: number) =>
  Int32Array.from({ length: numTriples }, () => Math.floor(below * random.uniform() ** 2));
const triples = { src: drawn(numNodes), dst: drawn(numNodes), relations: drawn(numRelations) };
const known = await TripleIndex.of(triples, { numNodes, numRelations, directed: true });
const heldOut = pairsBetween(triples, 0, numHeldOut);
const queries = [
  new Set(heldOut.src.map((node, i) => node * numRelations + (heldOut.relations?.[i] ?? 0))),
  new Set(heldOut.dst.map((node, i) => node * numRelations + (heldOut.relations?.[i] ?? 0))),
].reduce((sum, { size }) => sum + size, 0);

const rank = { rank: 0, worldSize: 1, collective: loopback() };
const evaluate = () =>
  filteredFigures(
    { nodes: { rows, dim }, decoder, rank },
    { known, groups: null, directed: true, numRelations },
    heldOut,
  );

async function secondsOf(work: () => unknown): Promise<number> {
  const before = cpuSeconds();
  await work();
  return cpuSeconds() - before;
}

const side = isSmall ? 192 : 1536;
const matrix = () => new Float32Array(side * side).fill(0.5);
const [a, b, c] = [matrix(), matrix(), matrix()];
const product = () => loadAddon().sgemm(false, false, side, side, side, a, b, c);
const measured = { evaluation: [] as number[], product: [] as number[] };
// Other work on the machine hits both alike: they take turns.
for (let repeat = 0; repeat <= repeats; repeat++) {
  measured.evaluation.push(await secondsOf(evaluate));
  measured.product.push(await secondsOf(product));
}

/** The median of all rounds but the first and cold one */
const typical = (seconds: readonly number[]) => median(seconds.slice(1));
const line = {
  topic: "ranking",
  figure: (2 * queries * numNodes * dim) / typical(measured.evaluation) / 1e9,
  unit: "GFLOP/CPU-s",
  better: "higher",
  ceiling: (2 * side ** 3) / typical(measured.product) / 1e9,
  details: {
    nodes: numNodes,
    dim,
    heldOut: numHeldOut,
    queries,
    cpuSeconds: typical(measured.evaluation),
    scoresAtOnceMiB: (192 * numNodes * 4) / 2 ** 20,
    figures: await evaluate(),
    cpu: cpus()[0]?.model ?? "unknown",
  },
};
console.log(JSON.stringify(line));
