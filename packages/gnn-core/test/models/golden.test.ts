import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Tensor2D, tidy } from "../../src/backends/tf.ts";
import type { ModelComponent } from "../../src/components/define-model.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import { appnp } from "../../src/models/appnp.model.ts";
import { gat } from "../../src/models/gat.model.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { gin } from "../../src/models/gin.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { ForwardContext, GnnModel, LayerInput } from "../../src/nn/model.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { expectClose } from "../support/check-op.ts";
import {
  type DenseGraph,
  denseGraph,
  gcnMatrix,
  identity,
  inferred,
  type Matrix,
  mapped,
  matrix,
  plus,
  plusRow,
  relu,
  rowMeans,
  scaled,
  times,
  weightsOf,
} from "../support/dense-graph.ts";
import { batchNorm, l2Normalize, layerNorm } from "../support/reference-layers.ts";
import { randomFloats } from "../support/seeded-random.ts";

const inDim = 6;
const hidden = 5;
const outDim = 3;
let plain: DenseGraph;
let weighted: DenseGraph;

beforeAll(async () => {
  await selectBackend("native");
  [plain, weighted] = await Promise.all([denseGraph(30, inDim, false), denseGraph(30, inDim, true)]);
});

type Weights = (name: string) => Matrix;
/** Output of each layer of the model as dense matrices in double precision. */
type Formula = (graph: DenseGraph, weights: Weights) => Matrix[];

const row = (weights: Weights, name: string) => weights(name)[0]!;
const affine = (x: Matrix, weights: Weights, name: string) =>
  plusRow(times(x, weights(`${name}.weight`)), row(weights, `${name}.bias`));
const without = (value: number) => (value === 0 ? 0 : 1);

function sageLayer(graph: DenseGraph, weights: Weights, x: Matrix, layer: number): Matrix {
  const mean = rowMeans(mapped(graph.adjacency, without));
  const own = times(x, weights(`layers.${layer}.weightSelf`));
  const neighbours = times(times(mean, x), weights(`layers.${layer}.weightNeigh`));
  return plusRow(plus(own, neighbours), row(weights, `layers.${layer}.bias`));
}

function poolLayer(graph: DenseGraph, weights: Weights, x: Matrix, layer: number): Matrix {
  const mapOf = relu(
    plusRow(times(x, weights(`layers.${layer}.weightPool`)), row(weights, `layers.${layer}.biasPool`)),
  );
  const pooled = graph.adjacency.map((edges) =>
    mapOf[0]!.map((_, d) => Math.max(0, ...mapOf.filter((_row, u) => edges[u] !== 0).map((values) => values[d]!))),
  );
  const own = times(x, weights(`layers.${layer}.weightSelf`));
  return plusRow(
    plus(own, times(pooled, weights(`layers.${layer}.weightNeigh`))),
    row(weights, `layers.${layer}.bias`),
  );
}

const gcnLayer = (graph: DenseGraph, weights: Weights, x: Matrix, layer: number) =>
  affine(times(gcnMatrix(graph.adjacency), x), weights, `layers.${layer}`);

const sageGcnLayer = (graph: DenseGraph, weights: Weights, x: Matrix, layer: number) =>
  affine(times(rowMeans(plus(graph.adjacency, identity(graph.numNodes))), x), weights, `layers.${layer}`);

function ginLayer(graph: DenseGraph, weights: Weights, x: Matrix, layer: number, epsilon: number): Matrix {
  const sum = plus(times(graph.adjacency, x), scaled(x, 1 + epsilon));
  return affine(relu(affine(sum, weights, `layers.${layer}.mlp.0`)), weights, `layers.${layer}.mlp.1`);
}

/** Heads of `dim` columns each, side by side or averaged. */
function gatLayer(graph: DenseGraph, weights: Weights, x: Matrix, layer: number, merge: "concat" | "mean"): Matrix {
  const z = times(x, weights(`layers.${layer}.weight`));
  const toSrc = weights(`layers.${layer}.attentionSrc`);
  const toDst = weights(`layers.${layer}.attentionDst`);
  const dim = toSrc[0]!.length;
  const heads = toSrc.map((_, h) => {
    const own = z.map((values) => values.slice(h * dim, (h + 1) * dim));
    const score = (v: number, u: number) => {
      const sum = own[u]!.reduce((total, value, d) => total + value * toSrc[h]![d]! + own[v]![d]! * toDst[h]![d]!, 0);
      return Math.exp(sum > 0 ? sum : 0.2 * sum);
    };
    const attention = graph.adjacency.map((edges, v) =>
      edges.map((weight, u) => (weight !== 0 || u === v ? score(v, u) : 0)),
    );
    return times(rowMeans(attention), own);
  });
  const merged = matrix(x.length, merge === "concat" ? heads.length * dim : dim, (v, d) =>
    merge === "concat"
      ? heads[Math.floor(d / dim)]![v]![d % dim]!
      : heads.reduce((sum, head) => sum + head[v]![d]! / heads.length, 0),
  );
  return plusRow(merged, row(weights, `layers.${layer}.bias`));
}

const norm = (x: Matrix, f: (flat: Float64Array) => Float64Array) => {
  const flat = f(Float64Array.from(x.flat()));
  return matrix(x.length, x[0]!.length, (i, j) => flat[i * x[0]!.length + j]!);
};
const vector = (weights: Weights, name: string) => Float64Array.from(row(weights, name));
const layerNormed = (x: Matrix, weights: Weights) =>
  norm(x, (flat) =>
    layerNorm(hidden, flat, vector(weights, "layers.0.norm.scale"), vector(weights, "layers.0.norm.shift")),
  );
const batchNormed = (x: Matrix, weights: Weights) =>
  norm(x, (flat) =>
    batchNorm(hidden, {
      x: flat,
      mean: vector(weights, "layers.0.norm.runningMean"),
      variance: vector(weights, "layers.0.norm.runningVariance"),
      scale: vector(weights, "layers.0.norm.scale"),
      shift: vector(weights, "layers.0.norm.shift"),
    }),
  );
const skipped = (x: Matrix, weights: Weights) => times(x, weights("layers.0.residual.weight"));

/** Before a batch mean there is no bias: the mean would take it off again. */
const unbiased =
  (formula: Formula): Formula =>
  (graph, weights) =>
    formula(graph, (name) => (name === "layers.0.bias" ? [Array<number>(hidden).fill(0)] : weights(name)));

type Layer = (graph: DenseGraph, weights: Weights, x: Matrix, layer: number) => Matrix;
const stack =
  (layer: Layer, hiddenOf: (z: Matrix, x: Matrix, weights: Weights) => Matrix = relu): Formula =>
  (graph, weights) => {
    const first = hiddenOf(layer(graph, weights, graph.x, 0), graph.x, weights);
    return [first, layer(graph, weights, first, 1)];
  };

const cases: readonly (readonly [string, ModelComponent, Record<string, unknown>, Formula, "both" | "plain"])[] = [
  ["GraphSAGE, mean", sage, {}, stack(sageLayer), "plain"],
  ["GraphSAGE, concat", sage, { aggregator: "concat" }, stack(sageLayer), "plain"],
  ["GraphSAGE, gcn", sage, { aggregator: "gcn" }, stack(sageGcnLayer), "both"],
  ["GraphSAGE, pool", sage, { aggregator: "pool" }, stack(poolLayer), "plain"],
  [
    "GraphSAGE with rows of length 1",
    sage,
    { l2Normalize: true },
    stack(sageLayer, (z) => norm(relu(z), (flat) => l2Normalize(hidden, flat))),
    "plain",
  ],
  [
    "GCN with layer normalisation",
    gcn,
    { norm: "layer" },
    stack(gcnLayer, (z, _x, w) => relu(layerNormed(z, w))),
    "both",
  ],
  [
    "GCN with batch normalisation",
    gcn,
    { norm: "batch" },
    unbiased(stack(gcnLayer, (z, _x, w) => relu(batchNormed(z, w)))),
    "plain",
  ],
  ["GCN with a residual", gcn, { residual: true }, stack(gcnLayer, (z, x, w) => relu(plus(z, skipped(x, w)))), "plain"],
  [
    "GraphSAGE with everything",
    sage,
    { aggregator: "pool", norm: "batch", residual: true, l2Normalize: true },
    unbiased(
      stack(poolLayer, (z, x, w) =>
        norm(relu(plus(batchNormed(z, w), skipped(x, w))), (flat) => l2Normalize(hidden, flat)),
      ),
    ),
    "plain",
  ],
  [
    "GAT with a residual",
    gat,
    { hiddenFeats: 6, heads: 3, outHeads: 2, residual: true, activation: "relu" },
    (graph, w) => {
      const first = relu(plus(gatLayer(graph, w, graph.x, 0, "concat"), graph.x));
      return [first, gatLayer(graph, w, first, 1, "mean")];
    },
    "plain",
  ],
  [
    "GAT with averaged hidden heads",
    gat,
    { heads: 2, merge: "mean", activation: "relu" },
    stack((graph, w, x, layer) => gatLayer(graph, w, x, layer, "mean")),
    "plain",
  ],
  [
    "GIN, ε learned",
    gin,
    { epsilon: 0.3 },
    stack((graph, w, x, layer) => ginLayer(graph, w, x, layer, row(w, `layers.${layer}.epsilon`)[0]!)),
    "both",
  ],
  [
    "GIN, ε fixed",
    gin,
    { epsilon: -0.5, learnEpsilon: false },
    stack((graph, w, x, layer) => ginLayer(graph, w, x, layer, -0.5)),
    "plain",
  ],
  [
    "APPNP",
    appnp,
    { numHops: 4, alpha: 0.2 },
    ({ adjacency, x }, w) => {
      const h = affine(relu(affine(x, w, "mlp.0")), w, "mlp.1");
      const hop = (z: Matrix) => plus(scaled(times(gcnMatrix(adjacency), z), 0.8), scaled(h, 0.2));
      const third = hop(hop(hop(h)));
      return [third.map((values, v) => [...values, ...h[v]!]), hop(third)];
    },
    "both",
  ],
];

describe.each(cases)("%s", (_title, component, chosen, formula, which) => {
  const create = () =>
    component.create(component.options.parse({ hiddenFeats: hidden, ...chosen }), { inDim, outDim, seed: 2 }, nn);

  /** Weights that start as 0 or 1 would hide a term; they are drawn too. */
  function created(): GnnModel {
    const model = create();
    for (const [i, { variable }] of [...model.variables, ...(model.buffers ?? [])].entries()) {
      if (variable.rank !== 1) continue;
      const values = randomFloats(variable.size, 40 + i).map((value) => 0.8 + 0.5 * value);
      tidy(() => variable.assign(nn.tf.tensor1d(values)));
    }
    return model;
  }

  test.each(which === "both" ? [false, true] : [false])(
    "is its formula on dense matrices in layer-wise inference (edge weights: %s)",
    async (isWeighted) => {
      const graph = isWeighted ? weighted : plain;
      const model = created();
      const expected = formula(graph, weightsOf(model));
      const before = memory().numTensors;
      for (const chunkSize of [7, 1000]) {
        const { embeddings, logits } = await inferred(model, graph, chunkSize);
        expectClose(embeddings, expected.at(-2)!.flat(), 2e-5);
        expectClose(logits, expected.at(-1)!.flat(), 2e-5);
      }
      expect(memory().numTensors).toBe(before);
      model.dispose();
    },
  );

  test("gives the seeds of a batch on whole neighbourhoods the rows of layer-wise inference", async () => {
    const model = created();
    const { logits } = await inferred(model, plain);
    const fanouts = Array.from({ length: component.numHops(component.options.parse(chosen)) }, () => -1);
    const drawn = createBlockSampler({ graph: plain.graph, fanouts, replace: false, seed: 1 });
    const seeds = Int32Array.of(3, 29, 11, 0);
    const blocks = await withDegrees(drawn, plain.graph).sample(seeds, { epoch: 0, step: 0 });
    const ids = blocks[0]!.srcIds;
    const values = Float32Array.from([...ids].flatMap((id) => plain.x[id]!));
    const features: FeatureRows = { kind: "dense", numRows: ids.length, dim: inDim, values };
    const inference = { training: false, seed: 0, epoch: 0, step: 0 };
    const rows = (forward: () => Tensor2D) => tidy(() => forward().dataSync<"float32">().slice());
    const expected = [...seeds].flatMap((seed) => [...logits.subarray(seed * outDim, (seed + 1) * outDim)]);
    const inOrder = (context: ForwardContext) =>
      rows(
        () =>
          model.layers.reduce<LayerInput>((x, layer, i) => layer.forward(blocks[i]!, x, context), features) as Tensor2D,
      );
    expectClose(inOrder(inference), expected, 1e-5);
    for (const context of model.forward ? [inference, { ...inference, training: true, step: 3 }] : []) {
      expectClose(
        rows(() => model.forward!(blocks, features, context)),
        inOrder(context),
        1e-5,
      );
    }
    model.dispose();
  });
});
