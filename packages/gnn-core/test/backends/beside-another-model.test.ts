import "@tensorflow/tfjs-backend-cpu";
import { expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import {
  getBackend,
  matMul,
  memory,
  relu,
  setBackend,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
} from "../../src/backends/tf.ts";
import { sageConv } from "../../src/ops/sage-conv.ts";
import { randomBlock } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

/** A model of somebody else in this process, on tfjs' own backend. */
function otherModel(input: Tensor2D, weight: Tensor2D): Float32Array {
  return tidy(() => relu(matMul(input, weight)).dataSync<"float32">().slice());
}

function ourLayer(): Float32Array {
  const block = randomBlock(13, 9, 5, 3);
  return tidy(() => {
    const weights = {
      weightSelf: tensor2d(randomFloats(12, 1), [4, 3]),
      weightNeigh: tensor2d(randomFloats(12, 2), [4, 3]),
    };
    const x = tensor2d(randomFloats(13 * 4, 4), [13, 4]);
    return sageConv(block, x, { ...weights, bias: tensor1d([1, 2, 3]) }, "relu")
      .dataSync<"float32">()
      .slice();
  });
}

test("a model on another backend of this process keeps its backend, its tensors and its results, and we ours", async () => {
  await setBackend("cpu");
  const input = tensor2d(randomFloats(20, 7), [5, 4]);
  const weight = tensor2d(randomFloats(8, 8), [4, 2]);
  const theirs = otherModel(input, weight);
  const { numTensors, numDataBuffers } = memory();

  await selectBackend("native");
  const ours = ourLayer();
  // Their tensors follow to our backend when they are used here, and back again.
  expect(otherModel(input, weight)).toHaveLength(theirs.length);

  await setBackend("cpu");
  expect(getBackend()).toBe("cpu");
  expect(otherModel(input, weight)).toEqual(theirs);
  expect(memory()).toMatchObject({ numTensors, numDataBuffers });

  await selectBackend("native");
  expect(ourLayer()).toEqual(ours);
  for (const tensor of [input, weight]) tensor.dispose();
});
