import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tidy } from "../../src/backends/tf.ts";
import type { ModelComponent } from "../../src/components/define-model.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { nn } from "../../src/nn/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { ascendingTypes, denseOf, randomBlock, randomCsr } from "../support/random-block.ts";

const shape = { inDim: 9, outDim: 4, seed: 7, numRelations: 3 };
const drawn = randomBlock(21, 21, 6, 2);
const plain = {
  ...drawn,
  srcDegrees: Float32Array.from({ length: 21 }, (_, i) => 6 + (i % 3)),
  types: ascendingTypes(drawn, 3),
};
const rows: FeatureRows = { kind: "dense", numRows: 21, dim: 9, values: denseOf(randomCsr(21, 9, 0.5, 3)) };
const registry = await loadRegistry();

const cases = registry
  .list("model")
  // What reads no row of a block has no edge in it.
  .filter(({ readsFeatures }) => readsFeatures !== false)
  .flatMap((component) =>
    (component.name === "sage" ? ["mean", "concat", "gcn", "pool"].map((aggregator) => ({ aggregator })) : [{}]).map(
      (chosen) => ({ name: [component.name, ...Object.values(chosen)].join(" "), component, chosen }),
    ),
  );

beforeAll(() => selectBackend("native"));

/** The block with edges that weigh differently. */
function weighted(block: Block): Block {
  return { ...block, weights: Float32Array.from(block.indices, (_, edge) => 0.5 + (edge % 5)) };
}

function logitsOf(component: ModelComponent, chosen: object, block: Block): Float32Array {
  const model = component.create(component.options.parse(chosen), shape, nn);
  try {
    return tidy(() => {
      let output: Tensor2D | null = null;
      const context = { training: false, seed: 0, epoch: 0, step: 0 };
      for (const layer of model.layers) output = layer.forward(block, output ?? rows, context);
      return (output as Tensor2D).dataSync<"float32">();
    });
  } finally {
    model.dispose();
  }
}

describe("weights of edges", () => {
  test.each(cases)("change what $name computes exactly when it says so", ({ component, chosen }) => {
    const saysSo = component.readsEdgeWeights?.(component.options.parse(chosen));
    const underWeights = logitsOf(component, chosen, weighted(plain));
    const changes = !logitsOf(component, chosen, plain).every((value, i) => value === underWeights[i]);
    expect(changes).toBe(saysSo);
  });
});
