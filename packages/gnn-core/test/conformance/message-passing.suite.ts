import { beforeAll, describe, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import type { Tensor1D, Tensor2D } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { biasActivate } from "../../src/ops/bias-activate.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
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
const activations = ["none", "relu", "elu", "leakyRelu", "tanh"] as const;

/** What every backend must do with messages along edges: each op and its gradient. */
export function messagePassingSuite(name: BackendName): void {
  describe(`message passing on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name));

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

    test.each(activations)("bias and activation %s and their gradients are right", (activation) => {
      checkOp({
        inputs: { x: [7, 5], bias: [5] },
        run: ({ x, bias }) => biasActivate(x as Tensor2D, bias as Tensor1D, activation),
        reference: ({ x, bias }) => reference.addBias(x, bias).map(messages.activationFormulas[activation]),
      });
    });
  });
}
