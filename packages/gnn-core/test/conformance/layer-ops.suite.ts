import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import { add, matMul, square, type Tensor1D, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import type { Block } from "../../src/graph/block.ts";
import { addActivate } from "../../src/ops/add-activate.ts";
import { type AppnpOptions, appnp } from "../../src/ops/appnp.ts";
import { batchNorm } from "../../src/ops/batch-norm.ts";
import { addMomentGradient, columnSums, composeColumnMoments } from "../../src/ops/column-moments.ts";
import { columnRange, joinColumns } from "../../src/ops/columns.ts";
import { ginSum } from "../../src/ops/gin-sum.ts";
import { l2Normalize } from "../../src/ops/l2-normalize.ts";
import { layerNorm } from "../../src/ops/layer-norm.ts";
import { inclusiveMean, neighborSum } from "../../src/ops/neighbor-weights.ts";
import { rowRange } from "../../src/ops/row-range.ts";
import { philox4x32 } from "../../src/random/philox.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { blockOf, randomBlock } from "../support/random-block.ts";
import * as layers from "../support/reference-layers.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats } from "../support/seeded-random.ts";

const blocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]])],
  ["degrees up to 11", randomBlock(31, 17, 11, 3)],
  ["one row with an edge from itself", blockOf(1, [[0]])],
  ["no edge at all", blockOf(5, [[], [], []])],
];
const key = { seed: 3, layer: 4, epoch: 5, step: 6 };

/** Degrees of the whole graph: what the block has, and on every other row one more. */
function withDegrees(block: Block): Block {
  const srcDegrees = Float32Array.from({ length: block.numSrc }, (_, v) =>
    v < block.numDst ? degreeIn(block, v) + (v % 2) : 3 + (v % 4),
  );
  return { ...block, srcDegrees };
}
const degreeIn = ({ indptr }: Block, v: number) => indptr[v + 1]! - indptr[v]!;

/** Kipf and Welling's weight of an edge, times degree / edges drawn; straight from the formula. */
function gcnWeights(block: Block, dropped?: { rate: number; layer: number }): layers.AppnpWeights {
  const rowOf = (edge: number) => block.indptr.findIndex((end, i) => i > 0 && edge < end) - 1;
  const degree = (row: number) => block.srcDegrees![row]!;
  const kept = (v: number, u: number) => {
    if (!dropped) return 1;
    const words = Uint32Array.of(block.srcIds[v]!, block.srcIds[u]!, key.epoch, key.step);
    philox4x32(words, key.seed, dropped.layer + 65536);
    const threshold = Math.round(dropped.rate * 65536);
    return (words[0]! & 0xffff) < threshold ? 0 : 65536 / (65536 - threshold);
  };
  return {
    edge: (e) => {
      const v = rowOf(e);
      const u = block.indices[e]!;
      return (kept(v, u) * (degree(v) / degreeIn(block, v))) / Math.sqrt((degree(v) + 1) * (degree(u) + 1));
    },
    self: (v) => kept(v, v) / (degree(v) + 1),
  };
}

/** What every backend must do in the layers of GIN, APPNP, and in normalisation: each op and its gradient. */
export function layerOpsSuite(name: BackendName, options: BackendOptions = {}): void {
  describe(`layers on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    describe.each(blocks)("on %s", (_title, block) => {
      test("GIN's sum and its gradients by rows and ε are right, with and without edge weights", () => {
        const weights = randomFloats(block.indices.length, 1);
        for (const edgeWeights of [null, weights]) {
          checkOp({
            inputs: { x: [block.numSrc, 5], epsilon: [1] },
            run: ({ x, epsilon }) => ginSum(block, x as Tensor2D, epsilon as Tensor1D, edgeWeights),
            reference: ({ x, epsilon }) =>
              layers.sumOf(
                block,
                5,
                x,
                (e) => edgeWeights?.[e] ?? 1,
                () => 1 + epsilon[0]!,
              ),
          });
        }
      });

      test("weights of a sampled sum make it as large as the whole sum of equal rows", () => {
        const whole = withDegrees(block);
        const { edgeWeights } = neighborSum(whole);
        const mean = inclusiveMean(whole);
        for (let v = 0; v < block.numDst; v++) {
          const edges = Array.from({ length: degreeIn(block, v) }, (_, i) => block.indptr[v]! + i);
          const sum = edges.reduce((total, e) => total + (edgeWeights?.[e] ?? 1), 0);
          const all = edges.reduce((total, e) => total + mean.edgeWeights![e]!, mean.selfWeights![v]!);
          if (edges.length > 0) expectClose([sum, all], [whole.srcDegrees![v]!, 1], 1e-6);
          else expectClose([all], [1 / (whole.srcDegrees![v]! + 1)], 1e-6);
        }
      });
    });

    test.each([
      ["without dropout", 0],
      ["with half of the entries dropped", 0.5],
    ])("APPNP over three nested blocks is its formula, %s, and so is its gradient", (_title, rate) => {
      const hops = [randomBlock(19, 11, 5, 1), randomBlock(11, 6, 5, 2), randomBlock(6, 3, 5, 3)].map(withDegrees);
      const options: AppnpOptions = { alpha: 0.2, dropout: rate ? { rate, key } : null };
      const weights = hops.map((block, hop) => gcnWeights(block, rate ? { rate, layer: key.layer + hop } : undefined));
      checkOp({
        inputs: { h: [19, 5] },
        run: ({ h }) => appnp(hops, h as Tensor2D, options),
        reference: ({ h }) => layers.appnp(hops, 5, 0.2, h, weights),
      });
    });

    test("a hop of APPNP on a block without edges keeps the node's own share", () => {
      const alone = withDegrees(blockOf(4, [[], []]));
      const out = tidy(() =>
        appnp([alone], tensor2d([[1], [2], [3], [4]]), { alpha: 0.1, dropout: null })
          .dataSync<"float32">()
          .slice(),
      );
      // Row 0 has degree 0: Â_00 = 1. Row 1 has an in-edge that was not drawn: Â_11 = 1/2.
      expectClose(out, [1, 0.9 * 0.5 * 2 + 0.1 * 2], 1e-6);
    });

    test("rows that do not fit the blocks of APPNP are a SHAPE_MISMATCH", () => {
      const block = withDegrees(blockOf(4, [[1], []]));
      const run = (numRows: number, of: Block[]) => () =>
        tidy(() => appnp(of, tensor2d(new Float32Array(numRows), [numRows, 1]), { alpha: 0.1, dropout: null }));
      expect(run(3, [block])).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
      expect(run(4, [block, block])).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
      expect(run(4, [])).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
    });

    test.each([1, 3, 33])("layer normalisation of %i columns and its gradients are right", (dim) => {
      checkOp({
        inputs: { x: [6, dim], scale: [dim], shift: [dim] },
        run: ({ x, scale, shift }) => layerNorm(x as Tensor2D, scale as Tensor1D, shift as Tensor1D),
        reference: ({ x, scale, shift }) => layers.layerNorm(dim, x, scale, shift),
      });
    });

    test.each([1, 3, 33])("rows of %i columns come to length 1, and the gradient is right", (dim) => {
      checkOp({
        // A row of one column is its sign, whose slope is 0.
        inputs: { x: [6, dim] },
        run: ({ x }) => l2Normalize(x as Tensor2D),
        reference: ({ x }) => layers.l2Normalize(dim, x),
      });
    });

    test("a row of zeros stays one when it is normalised", () => {
      const out = tidy(() =>
        l2Normalize(
          tensor2d([
            [0, 0],
            [3, 4],
          ]),
        )
          .dataSync<"float32">()
          .slice(),
      );
      expectClose(out, [0, 0, 0.6, 0.8], 1e-6);
    });

    test("batch normalisation by given statistics and all five gradients are right", () => {
      checkOp({
        inputs: { x: [9, 5], mean: [5], deviation: [5], scale: [5], shift: [5] },
        run: ({ x, mean, deviation, scale, shift }) =>
          tidy(() => {
            const variance = add<Tensor1D>(square(deviation as Tensor1D), 0.1);
            return batchNorm(x as Tensor2D, { mean: mean as Tensor1D, variance }, scale as Tensor1D, shift as Tensor1D);
          }),
        reference: ({ x, mean, deviation, scale, shift }) =>
          layers.batchNorm(5, { x, mean, variance: deviation.map((value) => value * value + 0.1), scale, shift }),
      });
    });

    test("batch normalisation by statistics of the first rows has the gradient of both ways", () => {
      checkOp({
        inputs: { x: [9, 4], scale: [4], shift: [4] },
        run: ({ x, scale, shift }) =>
          tidy(() =>
            batchNorm(x as Tensor2D, composeColumnMoments(x as Tensor2D, 6), scale as Tensor1D, shift as Tensor1D),
          ),
        reference: ({ x, scale, shift }) =>
          layers.batchNorm(4, { x, ...layers.columnStatistics(4, 6, x), scale, shift }),
      });
    });

    test("sums about a center and the gradient they send back are those of the formula", () => {
      const x = randomFloats(9 * 3, 5);
      const center = Float32Array.of(0.1, -0.2, 0.3);
      const gradient = { mean: center, linear: Float32Array.of(1, 2, 3), quadratic: Float32Array.of(-1, 0.5, 2) };
      const dx = randomFloats(9 * 3, 6);
      const [sums, moved] = tidy(() => {
        const rows = tensor2d(x, [9, 3]);
        const out = addMomentGradient(tensor2d(dx, [9, 3]), rows, 6, gradient);
        return [columnSums(rows, 6, center), out.dataSync<"float32">().slice()];
      }) as unknown as [Float32Array, Float32Array];
      const from = (row: number, d: number) => x[row * 3 + d]! - center[d]!;
      const first = [0, 1, 2, 3, 4, 5];
      const expected = [1, 2].flatMap((power) =>
        [0, 1, 2].map((d) => first.reduce((sum, row) => sum + from(row, d) ** power, 0)),
      );
      expectClose(sums, expected, 1e-5);
      const rows = dx.map((value, i) => {
        const d = i % 3;
        return i >= 18 ? value : value + gradient.linear[d]! + gradient.quadratic[d]! * from(Math.floor(i / 3), d);
      });
      expectClose(moved, rows, 1e-5);
    });

    test.each(["none", "relu", "elu", "leakyRelu", "tanh"] as const)(
      "the sum of two ways with activation %s and its gradients are right",
      (activation) => {
        const act = {
          none: (v: number) => v,
          relu: (v: number) => Math.max(0, v),
          elu: (v: number) => (v > 0 ? v : Math.expm1(v)),
          leakyRelu: (v: number) => (v > 0 ? v : 0.2 * v),
          tanh: Math.tanh,
        }[activation];
        checkOp({
          inputs: { a: [7, 5], b: [4, 5] },
          run: ({ a, b }) => addActivate(a as Tensor2D, b as Tensor2D, activation),
          reference: ({ a, b }) => b.map((value, i) => act(value + a[i]!)),
        });
      },
    );

    test("a range of rows is those rows, and the others get no gradient", () => {
      checkOp({
        inputs: { x: [7, 3], weight: [3, 2] },
        run: ({ x, weight }) => tidy(() => matMul(rowRange(x as Tensor2D, 2, 6), weight as Tensor2D)),
        reference: ({ x, weight }) => reference.matMul(4, 3, 2, x.subarray(6, 18), weight),
      });
    });

    test("columns are cut out and joined, and so are their gradients", () => {
      checkOp({
        inputs: { a: [4, 3], b: [6, 5] },
        run: ({ a, b }) => tidy(() => joinColumns(a as Tensor2D, columnRange(b as Tensor2D, 1, 3))),
        reference: ({ a, b }) =>
          Float64Array.from(
            [0, 1, 2, 3].flatMap((i) => [...a.subarray(3 * i, 3 * i + 3), ...b.subarray(5 * i + 1, 5 * i + 3)]),
          ),
      });
    });

    test("rows that cannot be added are a SHAPE_MISMATCH that says what was expected", () => {
      tidy(() => {
        const add = () =>
          addActivate(
            tensor2d([[1, 2]]),
            tensor2d([
              [1, 2],
              [3, 4],
            ]),
            "none",
          );
        expect(add).toThrow(
          expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringContaining("2 rows") }),
        );
      });
    });
  });
}
