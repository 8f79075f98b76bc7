import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { aggregateFeatures } from "../../src/control-variate/aggregate-features.ts";
import { neighborSum } from "../../src/control-variate/neighbor-sum.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { FeatureStore } from "../../src/features/feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { expectClose } from "../support/check-op.ts";
import { denseOf, randomCsr } from "../support/random-block.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

const numNodes = 60;
const dim = 11;
const numEdges = 300;
const random = seededRandom(8);
const draw = () => Int32Array.from({ length: numEdges }, () => Math.floor(random() * (numNodes - 1))); // 59 has no edges
const src = draw();
const dst = draw();
const weights = randomFloats(numEdges, 3).map((value) => value + 1.5);
const csr = randomCsr(numNodes, dim, 0.3, 5);
const rows = denseOf(csr);
const allNodes = Int32Array.from({ length: numNodes }, (_, node) => node);

const stores: Record<string, FeatureStore> = {
  dense: new DenseFeatureStore(dim, [rows.slice(0, 20 * dim), rows.slice(20 * dim)]),
  csr: new CsrFeatureStore(dim, [
    { indptr: BigInt64Array.from(csr.indptr, BigInt), indices: csr.indices, values: csr.values },
  ]),
};

/** Ã·X in double precision from the edge list. */
function expected(type: "mean" | "gcn"): Float64Array {
  const adjacency = new Float64Array(numNodes * numNodes);
  const counts = new Float64Array(numNodes);
  dst.forEach((to, e) => {
    adjacency[to * numNodes + src[e]!]! += type === "gcn" ? weights[e]! : 1;
    counts[to]! += 1;
  });
  for (const v of allNodes) if (type === "gcn") adjacency[v * numNodes + v]! += 1;
  const degrees = Array.from(allNodes, (v) =>
    adjacency.subarray(v * numNodes, (v + 1) * numNodes).reduce((sum, value) => sum + value, 0),
  );
  return Float64Array.from({ length: numNodes * dim }, (_, i) => {
    const v = Math.floor(i / dim);
    const d = i % dim;
    let sum = 0;
    for (const u of allNodes) {
      const scale = type === "gcn" ? 1 / Math.sqrt(degrees[v]! * degrees[u]!) : 1 / Math.max(1, counts[v]!);
      sum += adjacency[v * numNodes + u]! * scale * rows[u * dim + d]!;
    }
    return sum;
  });
}

async function aggregated(type: "mean" | "gcn", features: FeatureStore, worldSize: number): Promise<FeatureStore> {
  const graph = await graphFromEdges({ src, dst, numNodes, weights, duplicates: "keep" });
  const sharedRows = sharedRowsInMemory();
  const stores = await Promise.all(
    loopbackGroup(worldSize).map(async (collective, rank) =>
      aggregateFeatures({
        sum: await neighborSum(type, graph),
        features,
        rank: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective },
        sharedRows,
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    ),
  );
  return stores.at(-1)!;
}

beforeAll(() => selectBackend("native"));

test.each([
  ["mean", "dense"],
  ["mean", "csr"],
  ["gcn", "dense"],
  ["gcn", "csr"],
] as const)("the sums %s of %s features are the formula's, the same bits from 1, 2 and 3 ranks", async (type, kind) => {
  const found = (await aggregated(type, stores[kind]!, 1)).gather(allNodes);
  expect(found.kind).toBe(kind);
  expectClose(found.kind === "csr" ? denseOf(found) : found.values, expected(type), 1e-6);
  for (const worldSize of [2, 3]) {
    expect((await aggregated(type, stores[kind]!, worldSize)).gather(allNodes)).toEqual(found);
  }
});

test("CSR sums store the union of the columns that were summed, ascending", async () => {
  const rowsOf = (await aggregated("mean", stores["csr"]!, 1)).gather(Int32Array.of(dst[0]!));
  if (rowsOf.kind !== "csr") throw new TypeError("expected CSR rows");
  const neighbours = src.filter((_, e) => dst[e] === dst[0]);
  const columns = [...neighbours].flatMap((u) => [...csr.indices.subarray(csr.indptr[u], csr.indptr[u + 1])]);
  expect([...rowsOf.indices]).toEqual([...new Set(columns)].toSorted((a, b) => a - b));
});
