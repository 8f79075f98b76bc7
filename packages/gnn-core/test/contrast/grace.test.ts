import { beforeAll, expect, test } from "vitest";
import { prepareBackend } from "../../src/backends/prepare-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import { graceHead } from "../../src/contrast/grace.ts";
import { unchanged } from "../../src/contrast/view.ts";
import { viewBlocks, viewGraph } from "../../src/contrast/view-links.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { fullSampler } from "../../src/sampling/full.sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

beforeAll(() => prepareBackend(1));

const [count, dim, width, temperature] = [5, 3, 4, 0.4];
const rows = [randomFloats(count * dim, 1), randomFloats(count * dim, 2)] as const;

/** The loss of the paper, number by number */
function byHand(weights: readonly Float32Array[]): number {
  const [w1, b1, w2, b2] = weights as [Float32Array, Float32Array, Float32Array, Float32Array];
  const times = (x: number[], w: Float32Array, b: Float32Array) =>
    Array.from(b, (bias, to) => x.reduce((sum, value, from) => sum + value * w[from * b.length + to]!, bias));
  const project = (values: Float32Array, node: number) => {
    const x = [...values.subarray(node * dim, (node + 1) * dim)];
    const hidden = times(x, w1, b1).map((value) => (value > 0 ? value : Math.exp(value) - 1));
    const z = times(hidden, w2, b2);
    const length = Math.hypot(...z);
    return z.map((value) => value / length);
  };
  const [u, v] = rows.map((values) => Array.from({ length: count }, (_, node) => project(values, node))) as [
    number[][],
    number[][],
  ];
  const theta = (a: number[], b: number[]) =>
    Math.exp(a.reduce((sum, value, i) => sum + value * b[i]!, 0) / temperature);
  const side = (a: number[][], b: number[][]) =>
    a.reduce((sum, row, i) => {
      const between = b.reduce((all, other) => all + theta(row, other), 0);
      const within = a.reduce((all, other, k) => all + (k === i ? 0 : theta(row, other)), 0);
      return sum - Math.log(theta(row, b[i]!) / (between + within));
    }, 0);
  return (side(u, v) + side(v, u)) / 2;
}

test("the loss is that of the paper's equations", () => {
  const head = graceHead({ dim, seed: 3, projectionFeats: width, temperature });
  const [first, second] = rows.map((values) => tensor2d(values, [count, dim]));
  const found = tidy(() => head.lossSum(first!, second!).dataSync<"float32">()[0]!);
  expect(found).toBeCloseTo(byHand(copyWeights(head as never).map(({ values }) => values as Float32Array)), 4);
});

const numNodes = 80;
const key = { seed: 5, epoch: 2, step: 1 };
const view = { ...unchanged, droppedLinks: 0.3 };

async function drawnGraph() {
  const random = seededRandom(4);
  const ends = () => Int32Array.from({ length: 400 }, () => Math.floor(random() * numNodes));
  return graphFromEdges({ src: ends(), dst: ends(), numNodes, directed: false, selfLoops: "drop" });
}

type Graph = Awaited<ReturnType<typeof drawnGraph>>;

function edgesOf({ parts }: Graph): Set<string> {
  return new Set(
    parts.flatMap(({ firstNode, numNodes: size, indptr, indices }) =>
      Array.from({ length: size }, (_, node) =>
        Array.from(
          indices.subarray(Number(indptr[node]), Number(indptr[node + 1])),
          (src) => `${src} ${firstNode + node}`,
        ),
      ).flat(),
    ),
  );
}

test("a view drops about its share of the links, each with its reverse, and others in another view or step", async () => {
  const graph = await drawnGraph();
  const all = edgesOf(graph);
  const left = edgesOf(viewGraph(graph, view, 0, key));
  expect(left.size / all.size).toBeGreaterThan(0.6);
  expect(left.size / all.size).toBeLessThan(0.8);
  for (const edge of left) {
    expect(all).toContain(edge);
    expect(left).toContain(edge.split(" ").toReversed().join(" "));
  }
  expect(edgesOf(viewGraph(graph, view, 1, key))).not.toEqual(left);
  expect(edgesOf(viewGraph(graph, view, 0, { ...key, step: 2 }))).not.toEqual(left);
  expect(viewGraph(graph, unchanged, 0, key)).toBe(graph);
});

test("blocks of a batch lack what the graph of the view lacks, and have its degrees", async () => {
  const graph = await drawnGraph();
  const dropped = viewGraph(graph, view, 0, key);
  const context = { numHops: 2, seed: 0 };
  const seeds = Int32Array.of(3, 17, 40);
  const sampler = await fullSampler.create({}, { ...context, graph });
  const blocks = await withDegrees(sampler, graph).sample(seeds, { epoch: 0, step: 0 });
  const left = edgesOf(dropped);
  for (const { numDst, indptr, indices, srcIds, srcDegrees } of viewBlocks(blocks, graph, view, 0, key)) {
    for (let dst = 0; dst < numDst; dst++) {
      const found = Array.from(
        indices.subarray(indptr[dst], indptr[dst + 1]),
        (src) => `${srcIds[src]} ${srcIds[dst]}`,
      );
      expect(found.toSorted()).toEqual([...left].filter((edge) => edge.endsWith(` ${srcIds[dst]}`)).toSorted());
      expect(srcDegrees?.[dst]).toBe(found.length);
    }
  }
});
