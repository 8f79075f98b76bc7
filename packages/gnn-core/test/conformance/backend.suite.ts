import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, type BackendOptions, selectBackend } from "../../src/backends/select-backend.ts";
import {
  grads,
  memory,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  variable,
  variableGrads,
} from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { aggregatesFirst } from "../../src/ops/aggregate-order.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { dropout, dropoutFeatures } from "../../src/ops/dropout.ts";
import { gatherRows } from "../../src/ops/gather-rows.ts";
import { linear } from "../../src/ops/linear.ts";
import { sageConv } from "../../src/ops/sage-conv.ts";
import { spmmMean } from "../../src/ops/spmm.ts";
import { weightedSpmm } from "../../src/ops/weighted-spmm.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { blockOf, denseOf, randomBlock, randomCsr } from "../support/random-block.ts";
import * as reference from "../support/reference-ops.ts";
import { randomFloats } from "../support/seeded-random.ts";

const blocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]])],
  ["degrees up to 11", randomBlock(31, 17, 11, 3)],
  ["one row without edges", blockOf(1, [[]])],
  ["one row with an edge from itself", blockOf(1, [[0]])],
  ["no edge at all", blockOf(5, [[], [], []])],
  ["as many dst as src rows", randomBlock(13, 13, 6, 8)],
];
const dims = [
  [5, 3],
  [3, 9],
  [17, 2],
  [1, 1],
] as const;

/** What every backend must do: each op and its gradient, on regular and on awkward input. */
export function backendSuite(name: BackendName, options: BackendOptions = {}): void {
  describe(`ops on the backend ${name}`, () => {
    beforeAll(() => selectBackend(name, options));

    describe.each(blocks)("on %s", (_title, block) => {
      test("the mean over in-neighbours and its transpose are right", () => {
        checkOp({
          inputs: { x: [block.numSrc, 5] },
          run: ({ x }) => spmmMean(block, x as Tensor2D),
          reference: ({ x }) => reference.mean(block, 5, x),
        });
      });

      test.each(dims)("GraphSAGE from %i to %i columns and its gradients are right", (inDim, outDim) => {
        for (const activation of ["none", "relu"] as const) {
          checkOp({
            inputs: {
              x: [block.numSrc, inDim],
              weightSelf: [inDim, outDim],
              weightNeigh: [inDim, outDim],
              bias: [outDim],
            },
            run: ({ x, weightSelf, weightNeigh, bias }) =>
              sageConv(
                block,
                x as Tensor2D,
                { weightSelf: weightSelf as Tensor2D, weightNeigh: weightNeigh as Tensor2D, bias: bias as Tensor1D },
                activation,
              ),
            reference: (arrays) => {
              const out = reference.sageConv(block, inDim, outDim, arrays);
              return activation === "relu" ? reference.relu(out) : out;
            },
          });
        }
      });

      test.each(["csr", "dense"] as const)("GraphSAGE on %s feature rows and its gradients are right", (kind) => {
        const csr = randomCsr(block.numSrc, 9, 0.4, 5);
        const rows = kind === "csr" ? csr : denseRows(csr);
        checkOp({
          inputs: { weightSelf: [9, 4], weightNeigh: [9, 4], bias: [4] },
          run: ({ weightSelf, weightNeigh, bias }) =>
            sageConv(
              block,
              rows,
              { weightSelf: weightSelf as Tensor2D, weightNeigh: weightNeigh as Tensor2D, bias: bias as Tensor1D },
              "relu",
            ),
          reference: (arrays) =>
            reference.relu(reference.sageConv(block, 9, 4, { x: Float64Array.from(denseOf(csr)), ...arrays })),
        });
      });
    });

    test("both orders of GraphSAGE, aggregate first and project first, are among the cases", () => {
      const orders = blocks.flatMap(([, block]) =>
        dims.map(([inDim, outDim]) => aggregatesFirst(block, inDim, outDim)),
      );
      expect(new Set(orders)).toEqual(new Set([true, false]));
    });

    test.each(["none", "relu"] as const)(
      "a dense layer with activation %s and its gradients are right",
      (activation) => {
        checkOp({
          inputs: { x: [6, 5], weight: [5, 3], bias: [3] },
          run: ({ x, weight, bias }) =>
            linear(x as Tensor2D, { weight: weight as Tensor2D, bias: bias as Tensor1D }, activation),
          reference: ({ x, weight, bias }) => {
            const out = reference.addBias(reference.matMul(6, 5, 3, x, weight), bias);
            return activation === "relu" ? reference.relu(out) : out;
          },
        });
      },
    );

    test.each(["csr", "dense"] as const)("a dense layer on %s feature rows and its gradients are right", (kind) => {
      const csr = randomCsr(11, 7, 0.4, 5);
      checkOp({
        inputs: { weight: [7, 3], bias: [3] },
        run: ({ weight, bias }) =>
          linear(kind === "csr" ? csr : denseRows(csr), { weight: weight as Tensor2D, bias: bias as Tensor1D }, "relu"),
        reference: ({ weight, bias }) =>
          reference.relu(reference.addBias(reference.matMul(11, 7, 3, Float64Array.from(denseOf(csr)), weight), bias)),
      });
    });

    storedRowsSuite();

    test("gathered rows, some of them twice, send their gradients back", () => {
      const rows = Int32Array.of(4, 0, 4, 2);
      checkOp({
        inputs: { x: [5, 3] },
        run: ({ x }) => gatherRows(x as Tensor2D, rows),
        reference: ({ x }) => Float64Array.from([...rows].flatMap((row) => [...x.subarray(row * 3, row * 3 + 3)])),
      });
    });

    test("the summed cross-entropy weighs rows, skips unlabelled ones, and has the right gradient", () => {
      const labels = Int32Array.of(2, -1, 0, 3, 3);
      const weights = Float32Array.of(1, 5, 0.5, 2, 0);
      checkOp({
        inputs: { logits: [5, 4] },
        run: ({ logits }) => crossEntropySum(logits as Tensor2D, labels, weights),
        reference: ({ logits }) => Float64Array.of(reference.crossEntropySum(4, logits, labels, weights)),
      });
    });

    test("the cross-entropy of logits far apart is finite", () => {
      tidy(() => {
        const loss = crossEntropySum(tensor2d([[1000, 0, -1000]]), Int32Array.of(1), null);
        expect(loss.dataSync()[0]).toBeCloseTo(1000, 2);
      });
    });

    test("a batch without seeds has loss 0 and gradient 0", () => {
      const before = memory().numTensors;
      tidy(() => {
        const block = blockOf(0, []);
        const x: FeatureRows = { kind: "dense", numRows: 0, dim: 5, values: new Float32Array(0) };
        const csr: FeatureRows = {
          kind: "csr",
          numRows: 0,
          dim: 5,
          indptr: Int32Array.of(0),
          indices: new Int32Array(0),
          values: new Float32Array(0),
        };
        const weightSelf = variable(tensor2d(randomFloats(20, 1), [5, 4]));
        const weightNeigh = variable(tensor2d(randomFloats(20, 2), [5, 4]));
        const bias = variable(tensor1d(randomFloats(4, 3)));
        const weights = { weightSelf, weightNeigh, bias } as unknown as Parameters<typeof sageConv>[2];
        for (const rows of [x, csr]) {
          const { value, grads } = variableGrads(() =>
            crossEntropySum(sageConv(block, rows, weights, "relu"), new Int32Array(0), null),
          );
          expect(Math.abs(value.dataSync()[0] as number)).toBe(0); // −0 is 0
          for (const each of [weightSelf, weightNeigh, bias]) {
            const gradient = grads[each.name]?.dataSync() ?? [];
            expect(Array.from(gradient).every((element) => element === 0)).toBe(true);
          }
        }
        for (const each of [weightSelf, weightNeigh, bias]) each.dispose();
      });
      expect(memory().numTensors).toBe(before);
    });

    dropoutSuite();

    test("a wrong number of rows or columns is a SHAPE_MISMATCH that says what was expected", () => {
      tidy(() => {
        const block = blockOf(3, [[1], [2]]);
        const weights = { weightSelf: tensor2d([[1]]), weightNeigh: tensor2d([[1]]), bias: tensor1d([1]) };
        const call = (rows: number, columns: number) => () =>
          sageConv(block, tensor2d(new Float32Array(rows * columns), [rows, columns]), weights, "none");
        expect(call(2, 1)).toThrow(
          expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(/2 rows.*3/) }),
        );
        expect(call(3, 2)).toThrow(
          expect.objectContaining({ code: "SHAPE_MISMATCH", message: expect.stringMatching(/2 columns.*1/) }),
        );
      });
    });
  });
}

function denseRows(csr: FeatureRows & { kind: "csr" }): FeatureRows {
  return { kind: "dense", numRows: csr.numRows, dim: csr.dim, values: denseOf(csr) };
}

/** Feature rows that kernels read where they lie must give what the same rows copied out give. */
function storedRowsSuite(): void {
  const ids = Int32Array.from({ length: 31 }, (_, i) => (i * 17) % 40);
  const block = { ...randomBlock(31, 17, 11, 3), srcIds: ids };
  const key = { seed: 5, layer: 0, epoch: 2, step: 3 };

  // 3 and 16 columns fill a vector or less, 100 and 129 end with a part of one, 300 take several blocks of columns.
  test.each([
    [1, 3],
    [2, 16],
    [1, 100],
    [2, 129],
    [1, 300],
  ])("rows of features in %i segments of %i columns are those copied out of them", async (numSegments, dim) => {
    const values = randomFloats(40 * dim, 7);
    const cut = 23 * dim;
    const segments = numSegments === 1 ? [values] : [values.subarray(0, cut), values.subarray(cut)];
    const store = new DenseFeatureStore(dim, segments);
    const plain = store.gather(ids);
    const weights = () => ({
      weightSelf: tensor2d(randomFloats(dim * 4, 1), [dim, 4]),
      weightNeigh: tensor2d(randomFloats(dim * 4, 2), [dim, 4]),
      bias: tensor1d(randomFloats(4, 3)),
    });
    const norm = { edgeWeights: randomFloats(block.indices.length, 4), selfWeights: randomFloats(17, 5) };
    const results = (rows: FeatureRows, dropped: FeatureRows) =>
      tidy(() => {
        const { weightSelf, weightNeigh, bias } = weights();
        const all: Tensor[] = [
          sageConv(block, rows, { weightSelf, weightNeigh, bias }, "relu"),
          linear(rows, { weight: weightSelf, bias }, "none"),
          weightedSpmm(block, rows as FeatureRows & { kind: "dense" }, norm),
          linear(dropped, { weight: weightSelf, bias }, "relu"),
          ...grads((w: Tensor, b: Tensor) => {
            const layer = { weight: w as Tensor2D, bias: b as Tensor1D };
            return linear(dropped, layer, "relu");
          })([weightSelf, bias]),
          ...grads((self: Tensor, neigh: Tensor) => {
            const layer = { weightSelf: self as Tensor2D, weightNeigh: neigh as Tensor2D, bias };
            return sageConv(block, rows, layer, "none");
          })([weightSelf, weightNeigh]),
        ];
        return all.map((each) => each.dataSync<"float32">().slice());
      });
    const stored = await store.gatherAsync(ids);
    const found = results(stored, dropoutFeatures(await store.gatherAsync(ids), ids, 0.4, key));
    const expected = results(plain, dropoutFeatures(plain, ids, 0.4, key));
    for (const [i, each] of found.entries()) expectClose(each, expected[i] as Float32Array, 1e-4);
    expect(stored.values).toEqual(plain.values);
  });
}

function dropoutSuite(): void {
  const key = { seed: 5, layer: 1, epoch: 2, step: 3 };
  const ids = Int32Array.from({ length: 50 }, (_, i) => 31 * i);
  const apply = (rowIds: Int32Array, rate: number, dim: number, of = key) =>
    tidy(() =>
      dropout(tensor2d(new Float32Array(rowIds.length * dim).fill(1), [rowIds.length, dim]), rowIds, rate, of)
        .dataSync<"float32">()
        .slice(),
    );

  test("dropout keeps the share it should, scaled to keep the sum", () => {
    const out = apply(ids, 0.3, 200);
    const dropped = out.filter((value) => value === 0).length / out.length;
    // Standard deviation of the share of 10,000 draws: sqrt(0.3 * 0.7 / 10000) = 0.0046
    expect(Math.abs(dropped - 0.3)).toBeLessThan(4 * 0.0046);
    expectClose(
      out.filter((value) => value !== 0),
      new Float32Array(out.filter((value) => value !== 0).length).fill(1 / 0.7),
      1e-4,
    );
  });

  test("neighbouring columns and rows are dropped independently", () => {
    const rows = 50;
    const dim = 200;
    const kept = apply(ids, 0.5, dim).map((value) => (value === 0 ? -1 : 1));
    for (const lag of [1, 16, 32, 128, dim]) {
      let correlation = 0;
      for (let i = lag; i < kept.length; i++) correlation += (kept[i] as number) * (kept[i - lag] as number);
      // The mean of n independent products of ±1 has standard deviation 1/sqrt(n).
      expect(Math.abs(correlation / (rows * dim - lag))).toBeLessThan(4 / Math.sqrt(rows * dim - lag));
    }
  });

  test("a mask depends on seed, layer, epoch, step and row id, not on the row's position", () => {
    const out = apply(ids, 0.5, 40);
    expect(apply(ids, 0.5, 40)).toEqual(out);
    const reversed = apply(ids.toReversed(), 0.5, 40);
    for (let row = 0; row < ids.length; row++) {
      const mirrored = ids.length - 1 - row;
      expect(reversed.subarray(row * 40, row * 40 + 40)).toEqual(out.subarray(mirrored * 40, mirrored * 40 + 40));
    }
    for (const part of ["seed", "layer", "epoch", "step"] as const) {
      expect(apply(ids, 0.5, 40, { ...key, [part]: key[part] + 1 })).not.toEqual(out);
    }
  });

  test("the gradient of dropout is its mask", () => {
    const rowIds = ids.subarray(0, 6);
    const mask = apply(rowIds, 0.4, 11);
    checkOp({
      inputs: { x: [6, 11] },
      run: ({ x }) => dropout(x as Tensor2D, rowIds, 0.4, key),
      reference: ({ x }) => x.map((value, i) => value * (mask[i] as number)),
    });
  });

  test("dropout of CSR rows drops the non-zeros that dropout of the dense rows drops", () => {
    const csr = randomCsr(50, 33, 0.3, 4);
    const dense = dropoutFeatures(denseRows(csr), ids, 0.5, key);
    const sparse = dropoutFeatures(csr, ids, 0.5, key) as FeatureRows & { kind: "csr" };
    expect(denseOf(sparse)).toEqual(dense.values);
    expect(sparse.values).not.toEqual(csr.values);
  });

  test("a rate of 0 changes nothing and a rate of 1 is refused", () => {
    expect(apply(ids, 0, 3)).toEqual(new Float32Array(150).fill(1));
    expect(() => apply(ids, 1, 3)).toThrow(expect.objectContaining({ code: "SPEC_INVALID" }));
  });
}
