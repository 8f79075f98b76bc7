import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor1D, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { biasActivate } from "../../src/ops/bias-activate.ts";
import { gatConv } from "../../src/ops/gat-conv.ts";
import { gatConvOf } from "../../src/ops/gat-conv-of.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { philox4x32 } from "../../src/random/philox.ts";
import { checkOp } from "../support/check-op.ts";
import { blockOf, randomBlock } from "../support/random-block.ts";
import * as messages from "../support/reference-messages.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats } from "../support/seeded-random.ts";

export const awkwardBlocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]])],
  ["degrees up to 11", randomBlock(31, 17, 11, 3)],
  ["one row without edges", blockOf(1, [[]])],
  ["one row with an edge from itself", blockOf(1, [[0]])],
  ["no edge at all", blockOf(5, [[], [], []])],
  ["as many dst as src rows", randomBlock(13, 13, 6, 8)],
];
// Every element of z is moved by itself to check a gradient, so these are small; 17 and 19 columns are more than a
// vector.
const attentionBlocks: typeof awkwardBlocks = [
  ...awkwardBlocks.filter(([, { numSrc }]) => numSrc < 10),
  ["degrees up to 6", randomBlock(9, 5, 6, 3)],
];
const activations = ["none", "relu", "elu", "leakyRelu", "tanh"] as const;

/** What every backend must do with messages along edges: each op and its gradient. */
export function messagePassingSuite(name: BackendName, options: BackendOptions = {}): void {
  describe(`message passing on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    describe.each(awkwardBlocks)("on %s", (_title, block) => {
      const edgeWeights = randomFloats(block.indices.length, 1);
      const selfWeights = randomFloats(block.numDst, 2);

      test.each([
        ["plain", null, null],
        ["weighted", edgeWeights, null],
        ["plain with self", null, selfWeights],
        ["weighted with self", edgeWeights, selfWeights],
      ] as const)("a %s sum over in-neighbours and its transpose are right", (_kind, edges, selves) => {
        for (const dim of [1, 5, 19]) {
          checkOp({
            inputs: { x: [block.numSrc, dim] },
            run: ({ x }) => weightedSpmm(block, x as Tensor2D, { edgeWeights: edges, selfWeights: selves }),
            reference: ({ x }) => messages.weightedSum(block, dim, x, edges, selves),
          });
        }
      });
    });

    describe.each(attentionBlocks)("attention on %s", (_title, block) => {
      test.each([
        [1, 5, "concat"],
        [1, 17, "concat"],
        [3, 4, "concat"],
        [2, 19, "mean"],
      ] as const)("of %i heads × %i, %s, and its gradients are right", (heads, dim, merge) => {
        checkOp({
          inputs: { z: [block.numSrc, heads * dim], attentionSrc: [heads, dim], attentionDst: [heads, dim] },
          run: ({ z, attentionSrc, attentionDst }) =>
            gatConv(
              block,
              z as Tensor2D,
              { attentionSrc: attentionSrc as Tensor2D, attentionDst: attentionDst as Tensor2D },
              { negativeSlope: 0.2, merge, dropout: null },
            ),
          reference: (arrays) => messages.attention(block, heads, dim, arrays, merge),
        });
      });

      test.each([
        [3, 4, "concat"],
        [2, 5, "mean"],
      ] as const)("of %i heads × %i, %s, that sums other rows than it scores is right", (heads, dim, merge) => {
        const shape = [block.numSrc, heads * dim];
        checkOp({
          inputs: { z: shape, values: shape, attentionSrc: [heads, dim], attentionDst: [heads, dim] },
          run: ({ z, values, attentionSrc, attentionDst }) =>
            gatConvOf(
              block,
              { z: z as Tensor2D, values: values as Tensor2D },
              { attentionSrc: attentionSrc as Tensor2D, attentionDst: attentionDst as Tensor2D },
              { negativeSlope: 0.2, merge, dropout: null },
            ),
          reference: (arrays) => messages.attention(block, heads, dim, arrays, merge),
        });
      });
    });

    test.each([3, 11])("dropout of %i attention heads is keyed by both ends, and its gradients are right", (heads) => {
      const block = randomBlock(7, 4, 5, 3);
      const key = { seed: 5, layer: 1, epoch: 2, step: 3 };
      const threshold = Math.round(0.4 * 65536);
      const kept = (dst: number, src: number, head: number) => {
        const words = Uint32Array.of(block.srcIds[dst]!, block.srcIds[src]!, key.epoch, key.step);
        philox4x32(words, key.seed, key.layer + 0x10000 * (1 + Math.floor(head / 8)));
        const bits = (words[Math.floor((head % 8) / 2)]! >>> (16 * (head % 2))) & 0xffff;
        return bits < threshold ? 0 : 65536 / (65536 - threshold);
      };
      checkOp({
        inputs: { z: [block.numSrc, heads * 2], attentionSrc: [heads, 2], attentionDst: [heads, 2] },
        run: ({ z, attentionSrc, attentionDst }) =>
          gatConv(
            block,
            z as Tensor2D,
            { attentionSrc: attentionSrc as Tensor2D, attentionDst: attentionDst as Tensor2D },
            { negativeSlope: 0.2, merge: "concat", dropout: { rate: 0.4, key } },
          ),
        reference: (arrays) => messages.attention(block, heads, 2, arrays, "concat", kept),
      });
    });

    test("attention that sums rows of another shape than it scores is refused", () => {
      tidy(() => {
        const attention = { attentionSrc: tensor2d([[1]]), attentionDst: tensor2d([[0]]) };
        const rows = { z: tensor2d([[1], [2]]), values: tensor2d([[1, 2]]) };
        const settings = { negativeSlope: 0.2, merge: "concat", dropout: null } as const;
        expect(() => gatConvOf(blockOf(2, [[1]]), rows, attention, settings)).toThrow(
          "z is [2,1] and values [1,2]; expected 1 heads × 1 columns of both",
        );
      });
    });

    test("attention without a dst row gives no rows, and scores far apart stay finite", () => {
      const settings = { negativeSlope: 0.2, merge: "concat", dropout: null } as const;
      tidy(() => {
        const attention = { attentionSrc: tensor2d([[1]]), attentionDst: tensor2d([[0]]) };
        expect(gatConv(blockOf(0, []), tensor2d([], [0, 1]), attention, settings).shape).toEqual([0, 1]);
        const out = gatConv(blockOf(2, [[1]]), tensor2d([[-1000], [1000]]), attention, settings);
        expect([...out.dataSync()]).toEqual([1000]);
      });
    });

    test.each(activations)("bias and activation %s and their gradients are right", (activation) => {
      checkOp({
        inputs: { x: [7, 5], bias: [5] },
        run: ({ x, bias }) => biasActivate(x as Tensor2D, bias as Tensor1D, activation),
        reference: ({ x, bias }) => reference.addBias(x, bias).map(messages.activationFormulas[activation]),
      });
    });
  });
}
