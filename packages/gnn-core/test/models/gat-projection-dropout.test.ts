import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { nn } from "../../src/nn/index.ts";
import { linear } from "../../src/ops/linear.ts";
import { philox4x32 } from "../../src/random/philox.ts";
import { expectClose } from "../support/check-op.ts";
import { randomBlock } from "../support/random-block.ts";
import * as messages from "../support/reference-messages.ts";
import { randomFloats } from "../support/seeded-random.ts";

const [heads, dim, inDim] = [2, 4, 5];
const width = heads * dim;
const block = randomBlock(9, 5, 4, 3);
const rate = 0.4;
const context = { training: true, seed: 5, epoch: 2, step: 3 };

function layerWith(projectionDropout: number) {
  const alone = { index: 1, inDim, outDim: width, seed: 1, activation: "none", dropout: 0 } as const;
  const attention = { heads, merge: "concat", attentionDropout: 0, negativeSlope: 0.2 } as const;
  return nn.gatConv({ ...alone, ...attention, projectionDropout });
}

/** The layer's rows, and W·x with the attention vectors that it computes them from. */
function forward(projectionDropout: number, training: boolean) {
  const layer = layerWith(projectionDropout);
  const found = tidy(() => {
    const x = tensor2d(randomFloats(block.numSrc * inDim, 7), [block.numSrc, inDim]);
    const [weight, attentionSrc, attentionDst] = layer.variables.map(({ variable }) => variable as unknown as Tensor2D);
    const z = linear(x, { weight: weight!, bias: tensor1d(new Float32Array(width)) }, "none");
    const values = (tensor: Tensor2D) => tensor.dataSync<"float32">().slice();
    const inputs = { z: values(z), attentionSrc: values(attentionSrc!), attentionDst: values(attentionDst!) };
    return {
      out: layer
        .forward(block, x, { ...context, training })
        .dataSync<"float32">()
        .slice(),
      ...inputs,
    };
  });
  layer.dispose();
  const { out, z, attentionSrc, attentionDst } = found;
  const exact = (numbers: Float32Array) => Float64Array.from(numbers);
  return { out, z: exact(z), attentionSrc: exact(attentionSrc), attentionDst: exact(attentionDst) };
}

/** 0 or 1/(1 − rate) by row id and column, with a layer number that no other mask of the layer has. */
function kept(row: number, column: number): number {
  const words = Uint32Array.of(block.srcIds[row]!, column, context.epoch, context.step);
  philox4x32(words, context.seed, 1 + 0x10000 * 4096);
  const threshold = Math.round(rate * 65536);
  return (words[0]! & 0xffff) < threshold ? 0 : 65536 / (65536 - threshold);
}

describe.each(["cpu", "native"] as const)("GAT with dropped projections on the backend %s", (name: BackendName) => {
  beforeAll(() => selectBackend(name));

  test("sums dropped rows with the attention that whole rows give", () => {
    const { out, ...inputs } = forward(rate, true);
    const values = inputs.z.map((value, i) => value * kept(Math.floor(i / width), i % width));
    expect(values).toContain(0);
    expectClose(out, messages.attention(block, heads, dim, { ...inputs, values }, "concat"), 2e-5);
  });

  test("drops nothing outside of training, and without the option", () => {
    const plain = forward(0, true).out;
    expect(forward(rate, false).out).toEqual(plain);
    expect(forward(rate, true).out).not.toEqual(plain);
  });
});
