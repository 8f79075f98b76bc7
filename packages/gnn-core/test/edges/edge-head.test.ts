import { beforeAll, describe, expect, test } from "vitest";
import { prepareBackend } from "../../src/backends/prepare-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import { makeEdgeHead } from "../../src/edges/edge-head.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [dim, featureDim, outDim, hiddenFeats, numEdges] = [3, 2, 2, 4, 5];
const shape = { dim, featureDim, outDim, hiddenFeats, seed: 4, dropout: 0 };
const context = { training: false, seed: 0, epoch: 0, step: 0 };
const [src, dst, features] = [dim, dim, featureDim].map((width, i) => randomFloats(numEdges * width, 7 + i)) as [
  Float32Array,
  Float32Array,
  Float32Array,
];

beforeAll(() => prepareBackend(1));

function outputs(directed: boolean, ends = { src, dst }): number[] {
  const head = makeEdgeHead({ ...shape, directed });
  return tidy(() => {
    const rows = { src: tensor2d(ends.src, [numEdges, dim]), dst: tensor2d(ends.dst, [numEdges, dim]) };
    const ids = Int32Array.from({ length: numEdges }, (_, i) => i);
    return [...head.apply(rows, tensor2d(features, [numEdges, featureDim]), ids, context).dataSync<"float32">()];
  });
}

/** The network, number by number. */
function byHand(directed: boolean): number[] {
  const head = makeEdgeHead({ ...shape, directed });
  const [w1, b1, w2, b2] = copyWeights(head as never).map(({ values }) => values as Float32Array) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return Array.from({ length: numEdges }, (_, edge) => {
    const row = (values: Float32Array, width: number) => [...values.subarray(edge * width, (edge + 1) * width)];
    const [u, v, e] = [row(src, dim), row(dst, dim), row(features, featureDim)];
    const ends = directed ? [...u, ...v] : [...u.map((x, i) => x + v[i]!), ...u.map((x, i) => x * v[i]!)];
    const x = [...ends, ...e];
    const times = (input: number[], weights: Float32Array, bias: Float32Array, width: number) =>
      Array.from({ length: width }, (_, to) =>
        input.reduce((sum, value, from) => sum + value * weights[from * width + to]!, bias[to]!),
      );
    return times(
      times(x, w1, b1, hiddenFeats).map((value) => Math.max(0, value)),
      w2,
      b2,
      outDim,
    );
  }).flat();
}

describe.each([true, false])("the head of edges, directed: %s", (directed) => {
  test("is the network of both ends and the edge's features", () => {
    const expected = byHand(directed);
    for (const [i, value] of outputs(directed).entries()) expect(value).toBeCloseTo(expected[i]!, 5);
  });

  test("changes with the order of the ends where edges have a direction, and there alone", () => {
    const turned = outputs(directed, { src: dst, dst: src });
    if (directed) expect(turned).not.toEqual(outputs(directed));
    else expect(turned).toEqual(outputs(directed));
  });
});
