import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Tensor2D, tidy } from "../../src/backends/tf.ts";
import type { ModelComponent } from "../../src/components/define-model.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import { gat } from "../../src/models/gat.model.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { gin } from "../../src/models/gin.model.ts";
import { hgt } from "../../src/models/hgt.model.ts";
import { mlp } from "../../src/models/mlp.model.ts";
import { rgat } from "../../src/models/rgat.model.ts";
import { rgcn } from "../../src/models/rgcn.model.ts";
import { rsage } from "../../src/models/rsage.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { simpleHgn } from "../../src/models/simple-hgn.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { expectClose } from "../support/check-op.ts";
import { ascendingTypes, denseOf, randomBlock, randomCsr } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";

const shape = { inDim: 9, outDim: 4, seed: 7, numRelations: 3, numNodeTypes: 2 };
const graph = { nodeTypes: Int32Array.from({ length: 2000 }, (_, node) => node % 2), typedInput: null };
// Degrees of the whole graph are at least those of a block.
const drawn = randomBlock(21, 21, 6, 2);
const block = {
  ...drawn,
  srcDegrees: Float32Array.from({ length: 21 }, (_, i) => 6 + (i % 3)),
  types: ascendingTypes(drawn, 3),
};
const csr = randomCsr(21, 9, 0.5, 3);
const dense: FeatureRows = { kind: "dense", numRows: 21, dim: 9, values: denseOf(csr) };
const inference = { training: false, seed: 0, epoch: 0, step: 0 };

const variants: Readonly<Record<string, readonly object[]>> = {
  sage: [{ aggregator: "concat" }, { aggregator: "gcn" }, { aggregator: "pool", l2Normalize: true }],
  gin: [
    { learnEpsilon: false },
    { jumpingKnowledge: true, norm: "layer" },
    { jumpingKnowledge: true, norm: "batch", residual: true },
  ],
  rgat: [{ outHeads: 2, softmax: "acrossRelations" }],
  rgcn: [{ decomposition: "none" }, { decomposition: "blocks", numBases: 4 }, { numBases: 2 }],
  gat: [{ merge: "mean", heads: 3, residual: true }],
  hgt: [{ heads: 2 }],
  simpleHgn: [{ outHeads: 2, relationDim: 5 }],
};

beforeAll(() => selectBackend("native"));

/** Logits and the embedding (output of the layer before). */
function run(
  model: GnnModel,
  rows: FeatureRows,
  context = inference,
): { logits: Float32Array; lastHidden: Float32Array } {
  return tidy(() => {
    const outputs: Tensor2D[] = [];
    for (const layer of model.layers) outputs.push(layer.forward(block, outputs.at(-1) ?? rows, context));
    const [lastHidden, logits] = outputs.slice(-2).map((each) => each.dataSync<"float32">());
    return { logits: logits as Float32Array, lastHidden: lastHidden as Float32Array };
  });
}

describe.each([sage, mlp, gcn, gat, gin, rgcn, rsage, rgat, simpleHgn, hgt] as readonly ModelComponent[])(
  "the model $name",
  (component) => {
    const initialWeights = (seed: number) => {
      const model = component.create(component.options.parse({ hiddenFeats: 256 }), { ...shape, seed }, nn, graph);
      const values = model.variables.map(({ variable }) => variable.dataSync<"float32">().slice());
      model.dispose();
      return values;
    };

    test("drops features as it does other inputs, unless batch normalisation follows or an option says otherwise", () => {
      const training = { ...inference, training: true };
      const hiddenOf = (chosen: object) => {
        const options = component.options.parse({ hiddenFeats: 12, dropout: 0.5, ...chosen });
        const model = component.create(options, shape, nn, graph);
        const { lastHidden } = run(model, dense, training);
        model.dispose();
        return lastHidden;
      };
      for (const norm of ["none", "layer"]) {
        expect(hiddenOf({ norm })).toEqual(hiddenOf({ norm, inputDropout: 0.5 }));
        expect(hiddenOf({ norm })).not.toEqual(hiddenOf({ norm, inputDropout: 0 }));
      }
      expect(hiddenOf({ norm: "batch" })).toEqual(hiddenOf({ norm: "batch", inputDropout: 0 }));
      expect(hiddenOf({ norm: "batch" })).not.toEqual(hiddenOf({ norm: "batch", inputDropout: 0.5 }));
    });

    test("has as many parameters as it tells the estimate", () => {
      const further = [{}, { norm: "layer", residual: true }, { norm: "batch" }, ...(variants[component.name] ?? [])];
      for (const [numLayers, chosen] of [1, 2, 3].flatMap((count) => further.map((each) => [count, each] as const))) {
        const options = component.options.parse({ hiddenFeats: 12, numLayers, ...chosen });
        const model = component.create(options, shape, nn, graph);
        const found = model.variables.reduce((sum, { variable }) => sum + variable.size, 0);
        expect(found).toBe(component.numParameters(options, shape));
        expect(model.layers).toHaveLength(numLayers);
        model.dispose();
      }
    });

    test("starts from the same bits for the same seed, and from others for another", () => {
      expect(initialWeights(7)).toEqual(initialWeights(7));
      expect(initialWeights(8)).not.toEqual(initialWeights(7));
      const limit = Math.sqrt(6 / (9 + 256));
      const [first] = initialWeights(7) as [Float32Array];
      expect(Math.max(...first.map(Math.abs))).toBeLessThanOrEqual(limit);
      // U(−a, a) has standard deviation a/√3; of 2,304 draws the estimate is within 5 %.
      const deviation = Math.sqrt(first.reduce((sum, value) => sum + value * value, 0) / first.length);
      expect(deviation / (limit / Math.sqrt(3))).toBeCloseTo(1, 1);
    });

    test("gives the same for CSR rows and for the same rows dense", () => {
      const model = component.create(component.options.parse({ hiddenFeats: 8 }), shape, nn, graph);
      expectClose(run(model, csr).logits, run(model, dense).logits, 1e-5);
      model.dispose();
    });

    test("drops nothing at inference and something else in every step of training", () => {
      const model = component.create(component.options.parse({ hiddenFeats: 8 }), shape, nn, graph);
      const training = (step: number) => run(model, dense, { training: true, seed: 1, epoch: 0, step }).logits;
      expect(run(model, dense)).toEqual(run(model, dense));
      expect(training(1)).toEqual(training(1));
      expect(training(2)).not.toEqual(training(1));
      expect(training(1)).not.toEqual(run(model, dense).logits);
      model.dispose();
    });

    test("disposes everything it made", () => {
      const before = memory().numTensors;
      component.create(component.options.parse({}), shape, nn, graph).dispose();
      expect(memory().numTensors).toBe(before);
    });

    test.each(["relu", "elu", "leakyRelu", "tanh", "none"] as const)(
      "activates hidden layers, not logits: %s",
      (activation) => {
        const model = component.create(component.options.parse({ hiddenFeats: 8, activation }), shape, nn, graph);
        const { lastHidden, logits } = run(model, dense);
        const lowest = Math.min(...lastHidden);
        if (activation === "relu") expect(lowest).toBe(0);
        if (activation === "elu" || activation === "tanh") expect(lowest).toBeGreaterThan(-1);
        expect(lowest < 0).toBe(activation !== "relu");
        expect(Math.min(...logits)).toBeLessThan(0);
        model.dispose();
      },
    );
  },
);

test("two layers of GraphSAGE are the formula, in double precision", () => {
  const model = sage.create(sage.options.parse({ hiddenFeats: 6 }), shape, nn, graph);
  const values = Object.fromEntries(
    model.variables.map(({ name, variable }) => [name, Float64Array.from(variable.dataSync<"float32">())]),
  );
  const layer = (index: number, inDim: number, outDim: number, x: Float64Array) =>
    reference.sageConv(block, inDim, outDim, {
      x,
      weightSelf: values[`layers.${index}.weightSelf`] as Float64Array,
      weightNeigh: values[`layers.${index}.weightNeigh`] as Float64Array,
      bias: values[`layers.${index}.bias`] as Float64Array,
    });
  const hidden = reference.relu(layer(0, 9, 6, Float64Array.from(dense.values)));
  const found = run(model, csr);
  expectClose(found.lastHidden, hidden, 1e-5);
  expectClose(found.logits, layer(1, 6, 4, hidden), 1e-5);
  model.dispose();
});
