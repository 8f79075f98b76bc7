import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Scalar, sum, tensor2d, tidy, variableGrads } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { rgat } from "../../src/models/rgat.model.ts";
import { nn } from "../../src/nn/index.ts";
import { expectClose } from "../support/check-op.ts";
import { drawWeights } from "../support/drawn-weights.ts";
import { ascendingTypes, blockOf } from "../support/random-block.ts";
import { eachEdge } from "../support/reference-messages.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [inDim, outDim, heads, numRelations] = [5, 4, 2, 3];
const shape = { inDim, outDim, seed: 11, numRelations, numNodeTypes: 2 };
const drawn = blockOf(8, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2, 6]]);
const block = { ...drawn, types: ascendingTypes(drawn, numRelations) };
const nodeTypes = Int32Array.from({ length: 2000 }, (_, node) => node % 2);
const graph = { nodeTypes, typedInput: null };
const inference = { training: false, seed: 0, epoch: 0, step: 0 };
const x = randomFloats(block.numSrc * inDim, 5);
const optionsOf = (softmax: string) => rgat.options.parse({ numLayers: 1, outHeads: heads, softmax, dropout: 0 });

beforeAll(() => selectBackend("native"));

/** One layer in double precision, edge by edge, as section 2 of the paper writes it. */
function formula(values: Readonly<Record<string, Float32Array>>, softmax: string): Float64Array {
  const at = (name: string) => values[`layers.0.${name}`]!;
  const rowOf = (node: number) => Array.from(x.subarray(node * inDim, (node + 1) * inDim));
  const times = (node: number, name: string, matrix: number, width: number) =>
    Array.from({ length: width }, (_, c) =>
      rowOf(node).reduce((sum, value, i) => sum + value * at(name)[(matrix * inDim + i) * width + c]!, 0),
    );
  const projected = (node: number, r: number, h: number) =>
    times(node, "weightRelations", r, heads * outDim).slice(h * outDim, (h + 1) * outDim);
  const scored = (name: string, node: number, r: number, h: number) =>
    projected(node, r, h).reduce((sum, value, c) => sum + value * at(name)[(r * heads + h) * outDim + c]!, 0);
  const powerOf = (u: number, v: number, r: number, h: number) => {
    const score = scored("attentionSrc", u, r, h) + scored("attentionDst", v, r, h);
    return Math.exp(score > 0 ? score : 0.2 * score);
  };
  const out = new Float64Array(block.numDst * outDim);
  for (let v = 0; v < block.numDst; v++) {
    const type = nodeTypes[block.srcIds[v]!]!;
    const own = times(v, "weightSelf", type, outDim);
    for (let c = 0; c < outDim; c++) out[v * outDim + c] = own[c]! + at("bias")[type * outDim + c]!;
    const edges: { u: number; r: number }[] = [];
    eachEdge(block, (edge, u, dst) => dst === v && edges.push({ u, r: block.types[edge]! }));
    for (const { u, r } of edges) {
      const rivals = softmax === "withinRelation" ? edges.filter((each) => each.r === r) : edges;
      for (let h = 0; h < heads; h++) {
        const total = rivals.reduce((sum, each) => sum + powerOf(each.u, v, each.r, h), 0);
        const sent = projected(u, r, h);
        for (let c = 0; c < outDim; c++) out[v * outDim + c]! += ((powerOf(u, v, r, h) / total) * sent[c]!) / heads;
      }
    }
  }
  return out;
}

test.each(["withinRelation", "acrossRelations"])(
  "a layer of R-GAT, softmax %s, is the formula, edge by edge in double precision",
  (softmax) => {
    const model = rgat.create(optionsOf(softmax), shape, nn, graph);
    const values = drawWeights(model);
    const found = tidy(() => model.layers[0]!.forward(block, tensor2d(x, [block.numSrc, inDim]), inference).dataSync());
    expectClose(found, formula(values, softmax), 1e-5);
    model.dispose();
  },
);

test("a block without edges gives what the rows themselves come to, and gradients of zero to what edges read", () => {
  const model = rgat.create(optionsOf("withinRelation"), shape, nn, graph);
  drawWeights(model);
  const empty: Block = { ...blockOf(4, [[], [], []]), types: new Int32Array() };
  const before = memory().numTensors;
  tidy(() => {
    const input = tensor2d(x.subarray(0, 4 * inDim), [4, inDim]);
    const { grads } = variableGrads(() => sum<Scalar>(model.layers[0]!.forward(empty, input, inference)));
    for (const { name, variable } of model.variables) {
      const gradient = grads[variable.name]?.dataSync<"float32">() ?? new Float32Array(1);
      expect(
        gradient.some((value) => value !== 0),
        name,
      ).toBe(/weightSelf|bias/.test(name));
    }
  });
  expect(memory().numTensors).toBe(before);
  model.dispose();
});

test("a lone edge of a relation is fully attended to within it, and shares attention across relations", () => {
  const lone: Block = { ...blockOf(3, [[1, 2]]), types: Int32Array.of(0, 1) };
  const outputs = ["withinRelation", "acrossRelations"].map((softmax) => {
    const model = rgat.create(optionsOf(softmax), shape, nn, graph);
    const weights = model.variables.filter(({ name }) => name.includes("attention"));
    // Scores of zero: each edge is as good as the next.
    for (const { variable } of weights) tidy(() => variable.assign(nn.tf.zerosLike(variable)));
    const input = tensor2d(x.subarray(0, 3 * inDim), [3, inDim]);
    const own = { ...blockOf(3, [[]]), types: new Int32Array() };
    const [all, self] = [lone, own].map((each) =>
      tidy(() => model.layers[0]!.forward(each, input, inference).dataSync()),
    );
    input.dispose();
    model.dispose();
    return all!.map((value, c) => value - self![c]!);
  });
  expectClose(
    outputs[0] as Float32Array,
    Float64Array.from(outputs[1]!, (value) => 2 * value),
    1e-5,
  );
});

test("says where the edges of a row do not lie by relation", () => {
  const model = rgat.create(optionsOf("withinRelation"), shape, nn, graph);
  const mixed = { ...block, types: block.types.toReversed() };
  const input = tensor2d(x, [block.numSrc, inDim]);
  expect(() => tidy(() => model.layers[0]!.forward(mixed, input, inference))).toThrow(
    /expected relations ascending within dst row/,
  );
  input.dispose();
  model.dispose();
});

test("asks for edges of several types, and for a width that its heads share", () => {
  const { numRelations: _, ...alike } = shape;
  expect(() => rgat.create(optionsOf("withinRelation"), alike, nn)).toThrow(
    /rgat learns weights for each type of edge/,
  );
  expect(rgat.options.safeParse({ hiddenFeats: 30, heads: 4 }).success).toBe(false);
});
