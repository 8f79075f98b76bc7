import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { splitCode } from "../../src/graph/split-nodes.ts";
import { balanceWeights } from "../../src/partition/balance-weights.ts";
import { metisPartitioner } from "../../src/partition/metis.partitioner.ts";
import type { Adjacency, PartitionInput } from "../../src/partition/partitioner.ts";
import { streamingPartitioner } from "../../src/partition/streaming.partitioner.ts";
import { cutOf, spreadOf } from "../support/communities.ts";
import { gpmetis, hasGpmetis } from "../support/gpmetis.ts";

const cora = fileURLToPath(new URL("../../../../../shared/datasets/cora", import.meta.url));
const rowsOf = (file: string) => {
  const [header = "", ...lines] = gunzipSync(readFileSync(join(cora, file)))
    .toString()
    .trim()
    .split("\n");
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i]!, cell])));
};
const never = new AbortController().signal;

describe.skipIf(!existsSync(cora))("Cora in four parts", () => {
  let input: PartitionInput;
  let graph: Adjacency;
  let split: Int8Array;
  beforeAll(async () => {
    const nodes = rowsOf("nodes.csv.gz");
    const index = new Map(nodes.map(({ id }, i) => [id, i] as const));
    split = Int8Array.from(nodes, (row) => splitCode[(row["split"] || "none") as keyof typeof splitCode]);
    const edges = rowsOf("edges.csv.gz").map(({ src, dst }) => [index.get(src)!, index.get(dst)!] as const);
    const whole = await graphFromEdges({
      src: edges.map(([src]) => src),
      dst: edges.map(([, dst]) => dst),
      numNodes: nodes.length,
      directed: false,
    });
    const { indptr, indices } = whole.parts[0]!;
    graph = await loadAddon().symmetrize(indptr, indices);
    const weights = balanceWeights(["nodes", "inEdges", "train"], { indptr, split, types: null });
    const common = { numNodes: nodes.length, numParts: 4, inEdges: { indptr, indices }, seed: 0 };
    input = { ...common, adjacency: async () => graph, ...weights };
  });

  const expectEven = (parts: Int32Array) => {
    for (const c of [0, 1, 2]) {
      expect(spreadOf(parts, 4, (node) => input.nodeWeights[node * 3 + c]!).most).toBeLessThanOrEqual(1.05);
    }
  };

  test("METIS: nodes, in-edges and training nodes within 5 % of even; few edges cut", async () => {
    const parts = await metisPartitioner.assign(input, metisPartitioner.options.parse({}), never);
    const share = cutOf(graph, parts) / (graph.adjncy.length / 2);
    console.log(`Cora, METIS: ${(100 * share).toFixed(1)} % of the edges cut`);
    expectEven(parts);
    expect(share).toBeLessThan(0.15);
  });

  test("streaming: as even, with more edges cut than METIS and far fewer than chance", async () => {
    const parts = await streamingPartitioner.assign(input, streamingPartitioner.options.parse({}), never);
    const share = cutOf(graph, parts) / (graph.adjncy.length / 2);
    console.log(`Cora, streaming: ${(100 * share).toFixed(1)} % of the edges cut`);
    expectEven(parts);
    expect(share).toBeLessThan(0.4);
  });

  test.skipIf(!hasGpmetis)(
    "cuts within 3 % of gpmetis (Debian package metis) on the same graph and weights",
    async () => {
      const ours = cutOf(graph, await metisPartitioner.assign(input, metisPartitioner.options.parse({}), never));
      const theirs = cutOf(graph, await gpmetis(graph, input.nodeWeights, 3, 4));
      expect(ours).toBeLessThanOrEqual(1.03 * theirs);
    },
  );
});
