import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { gin } from "../../src/models/gin.model.ts";
import { nn } from "../../src/nn/index.ts";
import { drawWeights } from "../support/drawn-weights.ts";
import { randomBlock } from "../support/random-block.ts";
import { eachEdge } from "../support/reference-messages.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [inDim, outDim, hiddenFeats] = [5, 3, 4];
const shape = { inDim, outDim, seed: 3 };
// The second block's src rows are the first one's dst rows.
const blocks = [randomBlock(12, 8, 3, 1), randomBlock(8, 5, 3, 2)].map((block) => {
  // All in-edges are there, so that sums are those of the equations.
  const srcDegrees = new Float32Array(block.numSrc);
  for (let v = 0; v < block.numDst; v++) srcDegrees[v] = block.indptr[v + 1]! - block.indptr[v]!;
  return { ...block, srcDegrees };
});
const inference = { training: false, seed: 0, epoch: 0, step: 0 };

beforeAll(() => selectBackend("native"));

type Rows = readonly (readonly number[])[];

const rowsOf = (values: ArrayLike<number>, width: number): Rows =>
  Array.from({ length: values.length / width }, (_, row) =>
    Array.from({ length: width }, (_, i) => values[row * width + i]!),
  );
const times = (rows: Rows, weight: ArrayLike<number>, width: number): Rows =>
  rows.map((row) =>
    Array.from({ length: width }, (_, c) => row.reduce((sum, value, i) => sum + value * weight[i * width + c]!, 0)),
  );
const plus = (a: Rows, b: Rows): Rows => b.map((row, i) => row.map((value, c) => value + a[i]![c]!));
const relu = (rows: Rows): Rows => rows.map((row) => row.map((value) => Math.max(0, value)));

test("all layers are read: x·J⁰ + h¹·J¹ + h²·J² + b of the dst rows, in double precision from the equations", () => {
  const options = gin.options.parse({ hiddenFeats, numLayers: 2, dropout: 0, jumpingKnowledge: true });
  const model = gin.create(options, shape, nn);
  const weights = drawWeights(model);
  const at = (name: string) => weights[name]!;
  const given = randomFloats(blocks[0]!.numSrc * inDim, 5);
  const biased = (rows: Rows, bias: ArrayLike<number>) => rows.map((row) => row.map((value, c) => value + bias[c]!));

  let h = rowsOf(given, inDim);
  let sum = times(h, at("jump.0"), outDim);
  for (const [k, block] of blocks.entries()) {
    const epsilon = at(`layers.${k}.epsilon`)[0]!;
    const own = h.slice(0, block.numDst).map((row) => row.map((value) => (1 + epsilon) * value));
    const heard = own.map((row) => [...row]);
    eachEdge(block, (_edge, u, v) => {
      for (const [c, value] of h[u]!.entries()) heard[v]![c]! += value;
    });
    const inner = relu(biased(times(heard, at(`layers.${k}.mlp.0.weight`), hiddenFeats), at(`layers.${k}.mlp.0.bias`)));
    h = relu(biased(times(inner, at(`layers.${k}.mlp.1.weight`), hiddenFeats), at(`layers.${k}.mlp.1.bias`)));
    sum = plus(sum, times(h, at(`jump.${k + 1}`), outDim));
  }
  const expected = biased(sum, at("jump.bias")).flat();

  const found = tidy(() => {
    let rows: Tensor2D = tensor2d(given, [blocks[0]!.numSrc, inDim]);
    for (const [k, layer] of model.layers.entries()) {
      rows = layer.forward(blocks[k]!, rows, inference);
      expect(rows.shape[1]).toBe(layer.outDim);
    }
    return rows.dataSync<"float32">().slice();
  });
  expect(found).toHaveLength(expected.length);
  for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i]!, 4);
  model.dispose();
});
