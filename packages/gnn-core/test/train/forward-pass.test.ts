import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { square, sum, type Tensor2D, tidy, variableGrads } from "../../src/backends/tf.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { LayerInput } from "../../src/nn/model.ts";
import { layersInOrder } from "../../src/train/forward-pass.ts";
import type { TrainBatch } from "../../src/train/train-step.ts";
import { randomBlock } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const context = { training: true, seed: 1, epoch: 2, step: 3 };

test.each(["relu", "tanh"])(
  "layers in order, dropping in place behind %s, train with the bits of layers apart",
  (activation) => {
    const options = sage.options.parse({ hiddenFeats: 12, numLayers: 3, dropout: 0.5, activation });
    const model = sage.create(options, { inDim: 6, outDim: 3, seed: 5 }, nn);
    const blocks = [randomBlock(80, 40, 4, 1), randomBlock(40, 20, 4, 2), randomBlock(20, 8, 4, 3)];
    const features = { kind: "dense", numRows: 80, dim: 6, values: randomFloats(80 * 6, 4) } as const;
    const batch = { blocks, features } as unknown as TrainBatch;
    const apart = () => {
      let x: LayerInput = features;
      for (const [i, layer] of model.layers.entries()) x = layer.forward(blocks[i]!, x, context);
      return x as Tensor2D;
    };
    const gradientsOf = (forward: () => Tensor2D) =>
      tidy(() => {
        const { value, grads } = variableGrads(() => sum(square(forward())));
        return [value, ...Object.values(grads)].map((tensor) => tensor.dataSync().slice());
      });
    expect(gradientsOf(() => layersInOrder(model).forward(batch, context))).toEqual(gradientsOf(apart));
    model.dispose();
  },
);
