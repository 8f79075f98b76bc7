import { afterEach, beforeAll, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import {
  grads,
  memory,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
  variableGrads,
} from "../../src/backends/tf.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { appnp } from "../../src/models/appnp.model.ts";
import { gat } from "../../src/models/gat.model.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { gin } from "../../src/models/gin.model.ts";
import { mlp } from "../../src/models/mlp.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { sgc } from "../../src/models/sgc.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel, LayerInput } from "../../src/nn/model.ts";
import { batchNorm } from "../../src/ops/batch-norm.ts";
import { addMomentGradient, columnSums } from "../../src/ops/column-moments.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { randomBlock, randomCsr } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));
afterEach(() => loadAddon().setThreads(1));

// Large enough that every kernel is cut into several chunks.
const numRows = 5000;
const withDegrees = (block: Block): Block => ({ ...block, srcDegrees: new Float32Array(block.numSrc).fill(9) });
const blocks = [randomBlock(numRows, 3000, 7, 1), randomBlock(3000, 1200, 7, 2)].map(withDegrees);
const square = [randomBlock(numRows, numRows, 7, 3), randomBlock(numRows, numRows, 7, 4)].map(withDegrees);
const dense: FeatureRows = { kind: "dense", numRows, dim: 37, values: randomFloats(numRows * 37, 1) };
const csr = randomCsr(numRows, 37, 0.2, 2);

const shape = { inDim: 37, outDim: 5, seed: 1 };
const makeSage = () => sage.create(sage.options.parse({ hiddenFeats: 40 }), shape, nn);
const makeGcn = () => gcn.create(gcn.options.parse({ hiddenFeats: 40 }), shape, nn);
const makeGat = () => gat.create(gat.options.parse({ hiddenFeats: 40, outHeads: 3 }), shape, nn);
const makeSgc = () => sgc.create(sgc.options.parse({}), shape, nn);
const makeGin = () => gin.create(gin.options.parse({ hiddenFeats: 40, norm: "layer" }), shape, nn);
const makeAppnp = () => appnp.create(appnp.options.parse({ hiddenFeats: 40, numHops: 2 }), shape, nn);
const poolOptions = { hiddenFeats: 40, aggregator: "pool", norm: "layer", residual: true, l2Normalize: true };
const makePool = () => sage.create(sage.options.parse(poolOptions), shape, nn);
const makeMlp = () => mlp.create(mlp.options.parse({ hiddenFeats: 40 }), shape, nn);

test.each([
  ["GraphSAGE on dense rows", makeSage, blocks, dense],
  ["GraphSAGE on CSR rows", makeSage, blocks, csr],
  ["GraphSAGE that projects first", makeSage, square, dense],
  ["GCN on dense rows", makeGcn, blocks, dense],
  ["GCN on CSR rows", makeGcn, square, csr],
  ["GAT on dense rows", makeGat, blocks, dense],
  ["GAT on CSR rows", makeGat, square, csr],
  ["SGC on CSR rows", makeSgc, blocks, csr],
  ["GIN with layer normalisation on dense rows", makeGin, blocks, dense],
  ["GIN on CSR rows", makeGin, square, csr],
  ["APPNP on CSR rows", makeAppnp, blocks, csr],
  ["GraphSAGE with pooling, norms and a residual on CSR rows", makePool, blocks, csr],
  ["MLP on dense rows", makeMlp, square, dense],
  ["MLP on CSR rows", makeMlp, square, csr],
] as const)("%s: one, two and three threads give the same bits and no tensor is left", (_title, create, of, rows) => {
  const model = create();
  const before = memory().numTensors;
  const [one, two, three] = [1, 2, 3].map((threads) => {
    loadAddon().setThreads(threads);
    expect(loadAddon().threads()).toBe(threads);
    return lossAndGradients(model, of, rows);
  });
  expect(two).toEqual(one);
  expect(three).toEqual(one);
  expect(memory().numTensors).toBe(before);
  expect(one?.[0]?.[0]).toBeGreaterThan(0);
  model.dispose();
});

function lossAndGradients(model: GnnModel, of: readonly Block[], rows: FeatureRows): Float32Array[] {
  const seeds = of.at(-1) as Block;
  const labels = Int32Array.from({ length: seeds.numDst }, (_, i) => i % 5);
  return tidy(() => {
    const { value, grads } = variableGrads(() => {
      const context = { training: true, seed: 1, epoch: 2, step: 3 };
      let x: LayerInput = rows;
      if (model.forward) x = model.forward(of, x, context);
      else for (const [i, layer] of model.layers.entries()) x = layer.forward(of[i] as Block, x, context);
      return crossEntropySum(x as Tensor2D, labels, null);
    });
    const gradients = model.variables.map(
      ({ variable }) => grads[variable.name]?.dataSync<"float32">() as Float32Array,
    );
    return [value.dataSync<"float32">(), ...gradients];
  });
}

test("batch normalisation, its sums and what goes back into the rows have the same bits on any number of threads", () => {
  const x = randomFloats(numRows * 37, 5);
  const row = randomFloats(37, 6);
  const bytesOn = (threads: number): Buffer => {
    loadAddon().setThreads(threads);
    const found: Float32Array[] = [];
    tidy(() => {
      const rows = tensor2d(x, [numRows, 37]);
      const columns = tensor1d(row.map(Math.abs));
      const statistics = { mean: columns, variance: columns };
      const gradients = grads((...of: Tensor[]) =>
        batchNorm(of[0] as Tensor2D, statistics, of[1] as Tensor1D, of[2] as Tensor1D),
      )([rows, columns, columns.clone()], rows);
      const moved = addMomentGradient(rows, rows, 4000, { mean: row, linear: row, quadratic: row });
      found.push(columnSums(rows, 4000, row), ...[...gradients, moved].map((each) => each.dataSync<"float32">()));
    });
    return Buffer.concat(
      found.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    );
  };
  const one = bytesOn(1);
  expect(one.byteLength).toBeGreaterThan(2 * x.byteLength);
  expect(bytesOn(2).equals(one)).toBe(true);
  expect(bytesOn(3).equals(one)).toBe(true);
});
