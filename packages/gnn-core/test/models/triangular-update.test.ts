import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tidy } from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { expectClose } from "../support/check-op.ts";
import {
  type DenseGraph,
  denseGraph,
  type Matrix,
  matrix,
  plus,
  plusRow,
  relu,
  times,
  weightsOf,
} from "../support/dense-graph.ts";

const inference = { training: false, seed: 0, epoch: 0, step: 0 };
const numLayers = 3;

beforeAll(() => selectBackend("native"));

/**
 * Layers of nodes as of a NodeFlow: the seeds last, before them their in-neighbours, and so on; a layer does not repeat
 * the nodes of the next one.
 */
function nodeFlow({ adjacency, numNodes }: DenseGraph, seeds: readonly number[]): number[][] {
  const layers = [[...seeds]];
  for (let i = 0; i < numLayers; i++) {
    const [next] = layers as [number[]];
    layers.unshift(Array.from({ length: numNodes }, (_, u) => u).filter((u) => next.some((v) => adjacency[v]![u])));
  }
  return layers;
}

/**
 * The triangular update written out: step i updates every layer after i, not the next one alone, so that each node's
 * own embedding of the step before is at hand.
 */
function triangularUpdate(graph: DenseGraph, layers: readonly number[][], update: UpdateOf): Matrix {
  const h = layers.map((nodes) => nodes.map((node) => graph.x[node]!));
  for (let i = 0; i < numLayers; i++) {
    const updated = layers.slice(i + 1).map((nodes, k) => {
      const before = i + k;
      const own = h[i + k + 1]!;
      const means = nodes.map((v) => meanOf(layers[before]!, h[before]!, (u) => graph.adjacency[v]![u] !== 0, own[0]!));
      return update(i, own, means);
    });
    for (const [k, rows] of updated.entries()) h[i + k + 1] = rows;
  }
  return h.at(-1)!;
}

type UpdateOf = (step: number, own: Matrix, means: Matrix) => Matrix;

function meanOf(nodes: readonly number[], rows: Matrix, isIn: (node: number) => boolean, like: number[]): number[] {
  const mine = rows.filter((_, row) => isIn(nodes[row]!));
  return like.map((_, d) => (mine.length === 0 ? 0 : mine.reduce((sum, row) => sum + row[d]!, 0) / mine.length));
}

test("layers that concatenate a node's own row are the triangular update of its NodeFlow, in double precision", async () => {
  const graph = await denseGraph(30, 5, false);
  const model = sage.create(
    sage.options.parse({ aggregator: "concat", hiddenFeats: 6, numLayers }),
    { inDim: 5, outDim: 3, seed: 2 },
    nn,
  );
  const seeds = Int32Array.from([4, 17, 29]); // the last has no in-edges
  const weights = weightsOf(model);
  const expected = triangularUpdate(graph, nodeFlow(graph, [...seeds]), (step, own, means) => {
    const name = (part: string) => weights(`layers.${step}.${part}`);
    const sums = plusRow(plus(times(own, name("weightSelf")), times(means, name("weightNeigh"))), name("bias")[0]!);
    return step < numLayers - 1 ? relu(sums) : sums;
  });

  const fanouts = Array.from({ length: numLayers }, () => -1);
  const sampler = createBlockSampler({ graph: graph.graph, fanouts, replace: false, seed: 1 });
  const blocks = await sampler.sample(seeds, { epoch: 0, step: 0 });
  const input = new DenseFeatureStore(graph.dim, [graph.features]).gather(blocks[0]!.srcIds);
  const found = tidy(() => {
    const outputs: Tensor2D[] = [];
    for (const [i, layer] of model.layers.entries()) {
      outputs.push(layer.forward(blocks[i]!, outputs.at(-1) ?? input, inference));
    }
    return outputs.at(-1)!.dataSync<"float32">().slice();
  });
  expectClose(found, Float64Array.from(expected.flat()), 1e-5);
  expect(matrix(3, 3, (i, j) => found[i * 3 + j]!)).not.toContainEqual([0, 0, 0]);
  model.dispose();
});
