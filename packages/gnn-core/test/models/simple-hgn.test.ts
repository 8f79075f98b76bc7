import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import { simpleHgn } from "../../src/models/simple-hgn.model.ts";
import { nn } from "../../src/nn/index.ts";
import { expectClose } from "../support/check-op.ts";
import { drawWeights } from "../support/drawn-weights.ts";
import { blockOf } from "../support/random-block.ts";
import { eachEdge } from "../support/reference-messages.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [inDim, outDim, heads, relationDim, numRelations] = [5, 4, 2, 3, 3];
const shape = { inDim, outDim, seed: 11, numRelations, numNodeTypes: 2 };
const drawn = blockOf(8, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]]);
const block = { ...drawn, types: drawn.indices.map((_, edge) => (edge * 2) % numRelations) };
const nodeTypes = Int32Array.from({ length: 2000 }, (_, node) => node % 2);
const inference = { training: false, seed: 0, epoch: 0, step: 0 };
const options = simpleHgn.options.parse({ numLayers: 1, outHeads: heads, relationDim, dropout: 0 });

beforeAll(() => selectBackend("native"));

/** One layer in double precision, edge by edge, from equation 13 of the paper. */
function formula(x: Float32Array, values: Readonly<Record<string, Float32Array>>): Float64Array {
  const at = (name: string) => values[`layers.0.${name}`]!;
  const times = (row: ArrayLike<number>, weight: ArrayLike<number>, width: number, from = 0) =>
    Array.from({ length: width }, (_, c) => {
      let sum = 0;
      for (let i = 0; i < row.length; i++) sum += row[i]! * weight[(from + i) * width + c]!;
      return sum;
    });
  const head = (rows: ArrayLike<number>, h: number, dim: number) => Array.from(rows).slice(h * dim, (h + 1) * dim);
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const rowOf = (node: number) => x.subarray(node * inDim, (node + 1) * inDim);
  const z = (node: number) => times(rowOf(node), at("weight"), heads * outDim);
  const relation = (r: number) =>
    times(at("relations").subarray(r * relationDim, (r + 1) * relationDim), at("relationWeight"), heads * relationDim);
  const score = (u: number, v: number, r: number, h: number) => {
    const sum =
      dot(head(z(u), h, outDim), head(at("attentionSrc"), h, outDim)) +
      dot(head(z(v), h, outDim), head(at("attentionDst"), h, outDim)) +
      dot(head(relation(r), h, relationDim), head(at("attentionRelation"), h, relationDim));
    return sum > 0 ? sum : 0.05 * sum;
  };
  const out = new Float64Array(block.numDst * outDim);
  for (let v = 0; v < block.numDst; v++) {
    const type = nodeTypes[block.srcIds[v]!]!;
    const own = times(rowOf(v), at("weightSelf"), outDim, type * inDim);
    for (let c = 0; c < outDim; c++) out[v * outDim + c] = own[c]! + at("bias")[type * outDim + c]!;
    for (let h = 0; h < heads; h++) {
      const edges: { u: number; power: number }[] = [];
      eachEdge(block, (edge, u, dst) => {
        if (dst === v) edges.push({ u, power: Math.exp(score(u, v, block.types[edge]!, h)) });
      });
      const total = edges.reduce((sum, { power }) => sum + power, 0);
      for (const { u, power } of edges) {
        for (let c = 0; c < outDim; c++) out[v * outDim + c]! += ((power / total) * z(u)[h * outDim + c]!) / heads;
      }
    }
  }
  return out;
}

test("a layer of Simple-HGN is the formula, edge by edge in double precision", () => {
  const model = simpleHgn.create(options, shape, nn, { nodeTypes, typedInput: null });
  const values = drawWeights(model);
  const x = randomFloats(block.numSrc * inDim, 5);
  const found = tidy(() => model.layers[0]!.forward(block, tensor2d(x, [block.numSrc, inDim]), inference).dataSync());
  expectClose(found, formula(x, values), 1e-5);
  model.dispose();
});

test("an edge of another relation is attended to otherwise", () => {
  const model = simpleHgn.create(options, shape, nn, { nodeTypes, typedInput: null });
  const x = tensor2d(randomFloats(block.numSrc * inDim, 5), [block.numSrc, inDim]);
  const outputOf = (types: Int32Array) =>
    Array.from(tidy(() => model.layers[0]!.forward({ ...block, types }, x, inference).dataSync()));
  expect(outputOf(block.types.map((type) => (type + 1) % numRelations))).not.toEqual(outputOf(block.types));
  x.dispose();
  model.dispose();
});

test("asks for edges of several types, and for a width that its heads share", () => {
  const { numRelations: _, ...alike } = shape;
  expect(() => simpleHgn.create(options, alike, nn)).toThrow(/simpleHgn learns weights for each type of edge/);
  expect(simpleHgn.options.safeParse({ hiddenFeats: 30, heads: 4 }).success).toBe(false);
});
