import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import {
  add,
  grads,
  memory,
  mul,
  relu,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  tensor2d,
  tidy,
} from "../../src/backends/tf.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { dropout } from "../../src/ops/dropout.ts";
import type { FusedActivation } from "../../src/ops/linear.ts";
import {
  fusesTypedConv,
  type TypedShape,
  type TypedWeights,
  typedConv,
  typedConvDroppedInPlace,
} from "../../src/ops/typed-conv.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { blockOf, randomBlock, randomCsr, typed } from "../support/random-block.ts";
import { randomFloats } from "../support/seeded-random.ts";

const numRelations = 3;

beforeAll(() => selectBackend("native"));
afterEach(() => loadAddon().setThreads(1));

/** Types of dst rows that lie neither sorted nor in turn. */
const typesOf = ({ numDst }: Block, numTypes: number) =>
  Int32Array.from({ length: numDst }, (_, v) => (v * v) % numTypes);

function shapeOf(block: Block, numTypes: number): TypedShape {
  return { numRelations, numTypes, rowTypes: numTypes === 1 ? null : typesOf(block, numTypes) };
}

/** Straight from the formula, in double precision, without activation. */
function bruteForce(block: Block, { numTypes, rowTypes }: TypedShape, dims: readonly [number, number]) {
  const [inDim, outDim] = dims;
  return ({ x, relations, own, bias }: Record<"x" | "relations" | "own" | "bias", Float64Array>) => {
    const out = new Float64Array(block.numDst * outDim);
    const add = (v: number, u: number, weights: Float64Array, matrix: number, share: number) => {
      for (let i = 0; i < inDim; i++) {
        const weightOf = (j: number) => weights[(matrix * inDim + i) * outDim + j]!;
        for (let j = 0; j < outDim; j++) out[v * outDim + j]! += x[u * inDim + i]! * share * weightOf(j);
      }
    };
    for (let v = 0; v < block.numDst; v++) {
      const type = numTypes === 1 ? 0 : rowTypes![v]!;
      for (let j = 0; j < outDim; j++) out[v * outDim + j] = bias[type * outDim + j]!;
      add(v, v, own, type, 1);
      const edges = Array.from({ length: block.indptr[v + 1]! - block.indptr[v]! }, (_, i) => block.indptr[v]! + i);
      for (let r = 0; r < numRelations; r++) {
        const ofRelation = edges.filter((e) => block.types![e] === r);
        for (const e of ofRelation) add(v, block.indices[e]!, relations, r, 1 / ofRelation.length);
      }
    }
    return out;
  };
}

const blocks: readonly (readonly [string, Block])[] = [
  ["an irregular block with rows of degree 0", typed(blockOf(7, [[1, 2, 6], [], [0, 3, 4, 5, 5], [2]]))],
  ["degrees up to 11", typed(randomBlock(31, 17, 11, 3))],
  ["edges of one relation alone", { ...blockOf(4, [[0, 1], [3]]), types: Int32Array.of(1, 1, 1) }],
  ["no edge at all", typed(blockOf(5, [[], [], []]))],
];

describe.each(blocks)("a fused layer on typed edges, on %s", (_title, block) => {
  test.each([1, 2])("is its formula, and so are its gradients, with %i types of nodes", (numTypes) => {
    const shape = shapeOf(block, numTypes);
    const [inDim, outDim] = [5, 4];
    checkOp({
      inputs: {
        x: [block.numSrc, inDim],
        relations: [numRelations * inDim, outDim],
        own: [numTypes * inDim, outDim],
        bias: [numTypes * outDim],
      },
      run: ({ x, ...weights }) => typedConv(block, x as Tensor2D, weights as unknown as TypedWeights, shape, "none"),
      reference: bruteForce(block, shape, [inDim, outDim]),
    });
  });
});

const [inDim, outDim] = [20, 24];
// Several chunks of rows, of which few have edges of all relations.
const large = typed(randomBlock(1500, 1200, 4, 4));

type Layer = (x: Tensor2D, weights: TypedWeights) => Tensor2D;

/** The layer's values, and the gradients of x and the weights. */
function run(block: Block, numTypes: number, layer: Layer): Float32Array[] {
  const inputs = [
    tensor2d(randomFloats(block.numSrc * inDim, 1), [block.numSrc, inDim]),
    tensor2d(randomFloats(numRelations * inDim * outDim, 2), [numRelations * inDim, outDim]),
    tensor2d(randomFloats(numTypes * inDim * outDim, 3), [numTypes * inDim, outDim]),
    tensor1d(randomFloats(numTypes * outDim, 4)),
  ];
  const forward = (...[x, relations, own, bias]: Tensor[]) =>
    layer(x as Tensor2D, { relations: relations as Tensor2D, own: own as Tensor2D, bias: bias as Tensor1D });
  const dy = tensor2d(randomFloats(block.numDst * outDim, 5), [block.numDst, outDim]);
  const all: Tensor[] = [forward(...inputs), ...grads(forward)(inputs, dy)];
  const values = all.map((tensor) => tensor.dataSync<"float32">().slice());
  for (const tensor of [...all, ...inputs, dy]) tensor.dispose();
  return values;
}

const fused =
  (block: Block, numTypes: number, activation: FusedActivation): Layer =>
  (x, weights) =>
    typedConv(block, x, weights, shapeOf(block, numTypes), activation);

describe.each([1, 3])("with %i types of nodes", (numTypes) => {
  test("the activation inside is the one behind it, forward and backward", () => {
    const behind = run(large, numTypes, (x, weights) => tidy(() => relu(fused(large, numTypes, "none")(x, weights))));
    run(large, numTypes, fused(large, numTypes, "relu")).forEach((values, i) => expectClose(values, behind[i]!, 1e-4));
  });

  test("any number of threads gives the same bits", () => {
    const [one, three] = [1, 3].map((threads) => {
      loadAddon().setThreads(threads);
      return run(large, numTypes, fused(large, numTypes, "relu"));
    });
    expect(three).toEqual(one);
  });
});

test("a row has the same bits whatever other rows are computed beside it", () => {
  const all = run(large, 1, fused(large, 1, "none"))[0]!;
  const numDst = 37;
  const end = large.indptr[numDst]!;
  const few = {
    ...large,
    numDst,
    indptr: large.indptr.slice(0, numDst + 1),
    indices: large.indices.slice(0, end),
    types: large.types!.slice(0, end),
  };
  expect(run(few, 1, fused(few, 1, "none"))[0]).toEqual(all.slice(0, numDst * outDim));
});

test("means are kept for the gradient where they are few and summed again where not: differences of the formula either way", () => {
  // Rows of three relations have more means than are kept, rows of one relation have not.
  const dense = typed(randomBlock(200, 60, 20, 8));
  const sparse = { ...dense, types: dense.types!.map(() => 0) };
  for (const block of [dense, sparse]) {
    const shape = shapeOf(block, 1);
    const before = memory().numTensors;
    const [, ...gradients] = run(block, 1, fused(block, 1, "none"));
    const reference = bruteForce(block, shape, [inDim, outDim]);
    expect(gradients[0]!.length).toBe(block.numSrc * inDim);
    const doubles = (count: number, seed: number) => Float64Array.from(randomFloats(count, seed));
    const arrays = {
      x: doubles(block.numSrc * inDim, 1),
      relations: doubles(numRelations * inDim * outDim, 2),
      own: doubles(inDim * outDim, 3),
      bias: doubles(outDim, 4),
    };
    const dy = randomFloats(block.numDst * outDim, 5);
    const loss = () => reference(arrays).reduce((total, value, i) => total + value * dy[i]!, 0);
    for (const [name, gradient] of Object.entries({ x: gradients[0]!, relations: gradients[1]! })) {
      const array = arrays[name as "x" | "relations"];
      for (const at of [0, 17, array.length >> 1, array.length - 1]) {
        const value = array[at]!;
        array[at] = value + 1;
        const above = loss();
        array[at] = value;
        expect(gradient[at]).toBeCloseTo(above - loss(), 2);
      }
    }
    expect(memory().numTensors).toBe(before);
  }
});

test("elements dropped in x's own memory give the bits of dropping first; where one was dropped no gradient is asked for", () => {
  const key = { seed: 4, layer: 1, epoch: 2, step: 3 };
  const rate = 0.4;
  const shape = shapeOf(large, 3);
  const apart = run(large, 3, (x, weights) =>
    tidy(() => typedConv(large, dropout(x, large.srcIds, rate, key), weights, shape, "relu")),
  );
  // Inputs are written to: each call gets rows of its own.
  const inPlace = run(large, 3, (x, weights) =>
    tidy(() => typedConvDroppedInPlace(large, mul<Tensor2D>(x, 1), weights, shape, "relu", { rate, key })),
  );
  const [out, dx, ...weights] = inPlace;
  expect(out).toEqual(apart[0]);
  expect(weights).toEqual(apart.slice(2));
  const kept = Array.from(apart[1]!.keys()).filter((i) => apart[1]![i] !== 0);
  expect(kept.length).toBeGreaterThan(0.4 * dx!.length);
  expectClose(
    Float32Array.from(kept, (i) => dx![i]!),
    Float32Array.from(kept, (i) => apart[1]![i]!),
    1e-6,
  );
});

test("reads stored rows in place, and leaves sparse ones, many relations and weighed messages to the composition", async () => {
  const values = randomFloats(large.numSrc * inDim, 1);
  const rows = await new DenseFeatureStore(inDim, [values]).gatherAsync(Int32Array.from(large.srcIds.keys()));
  const stored = run(large, 3, (x, weights) =>
    // x takes part, so that there is a gradient of it: zeros.
    tidy(() => add<Tensor2D>(typedConv(large, rows, weights, shapeOf(large, 3), "relu"), mul(sum(x), 0))),
  );
  const given = run(large, 3, fused(large, 3, "relu"));
  expect(stored[0]).toEqual(given[0]);
  expect(stored.slice(2)).toEqual(given.slice(2));
  expect(fusesTypedConv(large, rows, numRelations)).toBe(true);
  expect(fusesTypedConv(large, randomCsr(large.numSrc, inDim, 0.5, 3), numRelations)).toBe(false);
  expect(fusesTypedConv(large, rows, 17)).toBe(false);
  const messageFactors = tensor2d([1], [1, 1]);
  expect(fusesTypedConv({ ...large, messageFactors }, rows, numRelations)).toBe(false);
  messageFactors.dispose();
});

test("a block without types is a SHAPE_MISMATCH, as are weights for other columns", () => {
  const mismatch = expect.objectContaining({ code: "SHAPE_MISMATCH" });
  const { types: _, ...plain } = large;
  expect(() => run(plain, 1, fused(plain, 1, "none"))).toThrow(mismatch);
  expect(() => run(large, 1, fused(large, 3, "none"))).toThrow(mismatch);
});
