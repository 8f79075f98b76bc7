import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { tensor2d, tidy } from "../../src/backends/tf.ts";
import { hgt } from "../../src/models/hgt.model.ts";
import { nn } from "../../src/nn/index.ts";
import { expectClose } from "../support/check-op.ts";
import { drawWeights } from "../support/drawn-weights.ts";
import { ascendingTypes, blockOf } from "../support/random-block.ts";
import { eachEdge } from "../support/reference-messages.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [inDim, outDim, heads, width, numRelations, numTypes] = [5, 4, 2, 6, 3, 2];
const dim = width / heads;
const shape = { inDim, outDim, seed: 11, numRelations, numNodeTypes: numTypes };
const drawn = blockOf(8, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]]);
const block = { ...drawn, types: ascendingTypes(drawn, numRelations) };
const nodeTypes = Int32Array.from({ length: 2000 }, (_, node) => node % numTypes);
const inference = { training: false, seed: 0, epoch: 0, step: 0 };
const options = hgt.options.parse({ numLayers: 1, heads, hiddenFeats: width, dropout: 0 });

beforeAll(() => selectBackend("native"));

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const gelu = (x: number) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** One layer in double precision, edge by edge, from equations 3 to 5 of the paper. */
function formula(x: Float32Array, values: Readonly<Record<string, Float32Array>>): Float64Array {
  const at = (name: string) => values[`layers.0.${name}`]!;
  /** W_type·row + b_type */
  const typed = (name: string, row: readonly number[], type: number, to: number) =>
    Array.from({ length: to }, (_, c) =>
      row.reduce(
        (sum, value, i) => sum + value * at(name)[(type * row.length + i) * to + c]!,
        at(`${name}Bias`)[type * to + c]!,
      ),
    );
  const rowOf = (node: number) => Array.from(x.subarray(node * inDim, (node + 1) * inDim));
  const typeOf = (row: number) => nodeTypes[block.srcIds[row]!]!;
  const head = (row: readonly number[], h: number) => row.slice(h * dim, (h + 1) * dim);
  const projected = (name: string, row: number, h: number) => head(typed(name, rowOf(row), typeOf(row), width), h);
  /** ⟨k·A, q⟩ = ⟨k, q·Aᵀ⟩: the variable holds Aᵀ of all relations side by side. */
  const score = (u: number, v: number, r: number, h: number) => {
    const q = projected("query", v, h);
    const asked = Array.from({ length: dim }, (_, c) =>
      q.reduce((sum, value, i) => sum + value * at("attention")[(h * dim + i) * numRelations * dim + r * dim + c]!, 0),
    );
    return (at("priority")[r * heads + h]! * dot(projected("key", u, h), asked)) / Math.sqrt(dim);
  };
  const sent = (u: number, r: number, h: number) => {
    const m = projected("value", u, h);
    const from = (h * numRelations + r) * dim;
    return Array.from({ length: dim }, (_, c) =>
      m.reduce((sum, value, i) => sum + value * at("message")[(from + i) * dim + c]!, 0),
    );
  };
  const rows = Array.from({ length: block.numDst }, (_, v) => {
    const z = Array.from({ length: heads }, (_, h) => {
      const edges: { power: number; row: readonly number[] }[] = [];
      eachEdge(block, (edge, u, dst) => {
        const r = block.types[edge]!;
        if (dst === v) edges.push({ power: Math.exp(score(u, v, r, h)), row: sent(u, r, h) });
      });
      const total = edges.reduce((sum, { power }) => sum + power, 0);
      return Array.from({ length: dim }, (_, c) =>
        edges.reduce((s, { power, row }) => s + (power / total) * row[c]!, 0),
      );
    }).flat();
    const type = typeOf(v);
    const share = sigmoid(at("skip")[type]!);
    const changed = typed("output", z.map(gelu), type, outDim);
    const kept = typed("self", rowOf(v), type, outDim);
    return changed.map((value, c) => share * value + (1 - share) * kept[c]!);
  });
  return Float64Array.from(rows.flat());
}

test("a layer of HGT is the formula, edge by edge in double precision", () => {
  const model = hgt.create(options, shape, nn, { nodeTypes, typedInput: null });
  const values = drawWeights(model);
  const x = randomFloats(block.numSrc * inDim, 5);
  const found = tidy(() => model.layers[0]!.forward(block, tensor2d(x, [block.numSrc, inDim]), inference).dataSync());
  expectClose(found, formula(x, values), 1e-5);
  model.dispose();
});

test("asks for edges of several types, and for a width that its heads share", () => {
  const { numRelations: _, ...alike } = shape;
  expect(() => hgt.create(options, alike, nn)).toThrow(/hgt learns weights for each type of edge/);
  expect(hgt.options.safeParse({ hiddenFeats: 30, heads: 4 }).success).toBe(false);
  const model = hgt.create(options, shape, nn, { nodeTypes, typedInput: null });
  const x = tensor2d(new Float32Array(block.numSrc * inDim), [block.numSrc, inDim]);
  expect(() => model.layers[0]!.forward(drawn, x, inference)).toThrow(/does not say of which relation/);
  const unordered = { ...drawn, types: drawn.indices.map((_, edge) => 2 - (edge % numRelations)) };
  expect(() => model.layers[0]!.forward(unordered, x, inference)).toThrow(/ascending within dst row 0/);
  x.dispose();
  model.dispose();
});
