import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { sum, type Tensor2D, tensor2d, tidy, variable, variableGrads } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { nn } from "../../src/nn/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { ascendingTypes, denseOf, randomBlock, randomCsr } from "../support/random-block.ts";

const shape = { inDim: 5, outDim: 3, seed: 7, numRelations: 3 };
const drawn = randomBlock(9, 9, 4, 2);
const block: Block = {
  ...drawn,
  types: ascendingTypes(drawn, 3),
  srcDegrees: Float32Array.from({ length: 9 }, (_, i) => 3 + (i % 3)),
};
const numEdges = block.indices.length;
const x = denseOf(randomCsr(9, 5, 0.6, 3));
const context = { training: false, seed: 0, epoch: 0, step: 0 };
const registry = await loadRegistry();

const cases = [
  { model: "gcn", options: {} },
  { model: "sage", options: { aggregator: "mean" } },
  { model: "sage", options: { aggregator: "concat" } },
  { model: "sage", options: { aggregator: "gcn" } },
  { model: "gin", options: {} },
  { model: "gat", options: { heads: 2, hiddenFeats: 8 } },
  { model: "sgc", options: {} },
  { model: "appnp", options: {} },
  { model: "rsage", options: {} },
  { model: "rgcn", options: { decomposition: "basis", numBases: 2 } },
  { model: "rgcn", options: { decomposition: "blocks", numBases: 2 } },
  { model: "rgat", options: { heads: 2, hiddenFeats: 8 } },
  { model: "simpleHgn", options: { heads: 2, hiddenFeats: 8 } },
  { model: "hgt", options: { heads: 2, hiddenFeats: 8 } },
].map((each) => ({ ...each, name: [each.model, ...Object.values(each.options)].join(" ") }));

beforeAll(() => selectBackend("native"));

/** The layers on the block, and Σ of what they give. */
function outputs({ model, options }: (typeof cases)[number], factors: Tensor2D | null) {
  const component = registry.get("model", model);
  // Smooth, so that finite differences meet no corner.
  const smooth = model === "sgc" ? {} : { activation: "elu" };
  const made = component.create(component.options.parse({ ...options, ...smooth }), shape, nn);
  const own = factors ? { ...block, messageFactors: factors } : block;
  const input = tensor2d(x, [9, 5]);
  const rows = made.layers.reduce<Tensor2D>((h, layer) => layer.forward(own, h, context), input);
  return { rows, dispose: () => made.dispose() };
}

function valuesOf(chosen: (typeof cases)[number], factors: Float32Array | null): Float32Array {
  return tidy(() => {
    const { rows, dispose } = outputs(chosen, factors && tensor2d(factors, [numEdges, 1]));
    const values = rows.dataSync<"float32">().slice();
    dispose();
    return values;
  });
}

const total = (values: Float32Array) => values.reduce((all, value) => all + value, 0);

describe.each(cases)("factors of messages in $name", (chosen) => {
  test("change nothing where all are 1", () => {
    const plain = valuesOf(chosen, null);
    for (const [i, value] of valuesOf(chosen, new Float32Array(numEdges).fill(1)).entries()) {
      expect(value).toBeCloseTo(plain[i]!, 5);
    }
  });

  test("have the gradient that finite differences have", () => {
    const factors = Float32Array.from({ length: numEdges }, (_, e) => 0.2 + (e % 7) / 10);
    const gradient = tidy(() => {
      const factor = variable(tensor2d(factors, [numEdges, 1]));
      const { grads } = variableGrads(() => sum(outputs(chosen, factor as Tensor2D).rows), [factor]);
      return grads[factor.name]!.dataSync<"float32">().slice();
    });
    const step = 2 ** -6;
    for (const e of factors.keys()) {
      const moved = (by: number) =>
        total(
          valuesOf(
            chosen,
            factors.map((factor, i) => (i === e ? factor + by : factor)),
          ),
        );
      const slope = (moved(step) - moved(-step)) / (2 * step);
      expect(Math.abs(slope - gradient[e]!)).toBeLessThan(5e-3 * Math.max(1, Math.abs(slope)));
    }
  });
});

test("a factor of 0 is an edge that sends nothing, and leaves degrees as they are", () => {
  const gin = cases.find(({ model }) => model === "gin")!;
  const none = valuesOf(gin, new Float32Array(numEdges));
  const cut = { ...block, indices: new Int32Array(), indptr: new Int32Array(10) };
  expect(none.every(Number.isFinite)).toBe(true);
  const alone = tidy(() => {
    const component = registry.get("model", "gin");
    const made = component.create(component.options.parse({ activation: "elu" }), shape, nn);
    const reverse = { indptr: new Int32Array(10), indices: cut.indices, edges: cut.indices };
    const rows = made.layers.reduce<Tensor2D>(
      (h, layer) => layer.forward({ ...cut, reverse }, h, context),
      tensor2d(x, [9, 5]),
    );
    const values = rows.dataSync<"float32">().slice();
    made.dispose();
    return values;
  });
  for (const [i, value] of none.entries()) expect(value).toBeCloseTo(alone[i]!, 5);
});
