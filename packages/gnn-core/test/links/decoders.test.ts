import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, mul, type Scalar, sum, type Tensor2D, tensor2d, tidy, variableGrads } from "../../src/backends/tf.ts";
import { complExDecoder } from "../../src/links/decoders/compl-ex.ts";
import { cosineDecoder } from "../../src/links/decoders/cosine.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkDecoder } from "../../src/links/decoders/link-decoder.ts";
import { mlpDecoder } from "../../src/links/decoders/mlp.ts";
import { rotatEDecoder } from "../../src/links/decoders/rotat-e.ts";
import { transEDecoder } from "../../src/links/decoders/trans-e.ts";
import { checkOp, expectClose } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const dim = 6;
const half = dim / 2;
const shape = { dim, seed: 4 };
type Row = ArrayLike<number>;

interface DecoderCase {
  readonly make: () => LinkDecoder;
  /** The paper's formula in double precision, of one pair and the decoder's variables */
  readonly reference: (h: Row, t: Row, variables: readonly Row[]) => number;
}

const sumOver = (count: number, term: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => term(k)).reduce((total, value) => total + value, 0);
const at = (row: Row, k: number) => row[k] as number;

const cases: Record<string, DecoderCase> = {
  dot: { make: dotDecoder, reference: (h, t) => sumOver(dim, (k) => at(h, k) * at(t, k)) },
  cosine: {
    make: cosineDecoder,
    reference: (h, t) => {
      const length = (row: Row) => Math.sqrt(sumOver(dim, (k) => at(row, k) ** 2));
      return sumOver(dim, (k) => at(h, k) * at(t, k)) / (length(h) * length(t));
    },
  },
  distMult: {
    make: () => distMultDecoder(shape),
    reference: (h, t, [r]) => sumOver(dim, (k) => at(h, k) * at(r!, k) * at(t, k)),
  },
  complEx: {
    make: () => complExDecoder(shape),
    reference: (h, t, [r]) =>
      sumOver(half, (k) => {
        const [a, b, c, d] = [at(h, k), at(h, k + half), at(r!, k), at(r!, k + half)];
        return (a * c - b * d) * at(t, k) + (a * d + b * c) * at(t, k + half);
      }),
  },
  "transE, norm 1": {
    make: () => transEDecoder({ ...shape, norm: 1, margin: 3 }),
    reference: (h, t, [r]) => 3 - sumOver(dim, (k) => Math.abs(at(h, k) + at(r!, k) - at(t, k))),
  },
  "transE, norm 2": {
    make: () => transEDecoder({ ...shape, norm: 2, margin: 3 }),
    reference: (h, t, [r]) => 3 - Math.sqrt(sumOver(dim, (k) => (at(h, k) + at(r!, k) - at(t, k)) ** 2)),
  },
  rotatE: {
    make: () => rotatEDecoder({ ...shape, margin: 3 }),
    reference: (h, t, [angles]) =>
      3 -
      sumOver(half, (k) => {
        const [cos, sin] = [Math.cos(at(angles!, k)), Math.sin(at(angles!, k))];
        const real = at(h, k) * cos - at(h, k + half) * sin - at(t, k);
        return Math.hypot(real, at(h, k) * sin + at(h, k + half) * cos - at(t, k + half));
      }),
  },
  "mlp of products": {
    make: () => mlpDecoder({ ...shape, input: "hadamard", hiddenFeats: 5 }),
    reference: (h, t, variables) =>
      mlpReference(
        Array.from({ length: dim }, (_, k) => at(h, k) * at(t, k)),
        variables,
      ),
  },
  "mlp of both rows": {
    make: () => mlpDecoder({ ...shape, input: "concat", hiddenFeats: 5 }),
    reference: (h, t, variables) => mlpReference([...Array.from(h), ...Array.from(t)], variables),
  },
};

function mlpReference(x: readonly number[], [w0, b0, w1, b1]: readonly Row[]): number {
  const hidden = Array.from({ length: 5 }, (_, j) =>
    Math.max(0, sumOver(x.length, (k) => x[k]! * at(w0!, k * 5 + j)) + at(b0!, j)),
  );
  return sumOver(5, (j) => hidden[j]! * at(w1!, j)) + at(b1!, 0);
}

const rowsOf = (flat: Float64Array) => (row: number) => flat.subarray(row * dim, (row + 1) * dim);
const valuesOf = ({ variables }: LinkDecoder) => variables.map(({ variable }) => variable.dataSync<"float32">());

function dispose({ variables }: LinkDecoder): void {
  for (const { variable } of variables) variable.dispose();
}

test.each(Object.entries(cases))(
  "%s is its paper's formula, with the gradient of both rows",
  (_, { make, reference }) => {
    const decoder = make();
    const variables = valuesOf(decoder);
    checkOp({
      inputs: { src: [7, dim], dst: [7, dim] },
      run: ({ src, dst }) => tidy(() => decoder.score(src as Tensor2D, dst as Tensor2D)),
      reference: ({ src, dst }) =>
        Float64Array.from({ length: 7 }, (_row, row) => reference(rowsOf(src)(row), rowsOf(dst)(row), variables)),
    });
    dispose(decoder);
  },
);

const learned = Object.entries(cases).filter(([name]) => name !== "dot" && name !== "cosine");

test.each(learned)("%s has the gradient of its own variables", (_, { make, reference }) => {
  const decoder = make();
  const [src, dst, projection] = [randomFloats(7 * dim, 1), randomFloats(7 * dim, 2), randomFloats(7, 3)];
  const [h, t] = [rowsOf(Float64Array.from(src)), rowsOf(Float64Array.from(dst))];
  const found = gradientsOf(decoder, [src, dst], projection);
  const values = valuesOf(decoder).map((array) => Float64Array.from(array));
  const projected = () => sumOver(7, (row) => projection[row]! * reference(h(row), t(row), values));
  for (const [i, moving] of values.entries()) {
    const expected = moving.map((value, k) => {
      moving[k] = value + 1e-6;
      const above = projected();
      moving[k] = value - 1e-6;
      const below = projected();
      moving[k] = value;
      return (above - below) / 2e-6;
    });
    expectClose(found[i]!, expected, 1e-4);
  }
  dispose(decoder);
});

/** Gradients of Σ projection·score by the decoder's variables */
function gradientsOf(
  decoder: LinkDecoder,
  [src, dst]: readonly Float32Array[],
  projection: Float32Array,
): Float32Array[] {
  const rows = projection.length;
  return tidy(() => {
    const { grads } = variableGrads(
      () => {
        const scores = decoder.score(tensor2d(src!, [rows, dim]), tensor2d(dst!, [rows, dim]));
        return sum<Scalar>(mul(scores, tensor2d(projection, [rows, 1])));
      },
      decoder.variables.map(({ variable }) => variable),
    );
    return decoder.variables.map(({ variable }) => grads[variable.name]!.dataSync<"float32">().slice());
  });
}

test.each(Object.entries(cases))(
  "%s scores every row with every candidate as it does pairs",
  (_, { make, reference }) => {
    const decoder = make();
    const [src, candidates] = [randomFloats(3 * dim, 1), randomFloats(5 * dim, 2)];
    const before = memory().numTensors;
    const scores = tidy(() =>
      decoder
        .scoreAll(tensor2d(src, [3, dim]), tensor2d(candidates, [5, dim]))
        .dataSync<"float32">()
        .slice(),
    );
    expect(memory().numTensors).toBe(before);
    const [h, t] = [rowsOf(Float64Array.from(src)), rowsOf(Float64Array.from(candidates))];
    const variables = valuesOf(decoder);
    const expected = Array.from({ length: 15 }, (_pair, i) => reference(h(Math.floor(i / 5)), t(i % 5), variables));
    expectClose(scores, expected, 2e-5);
    dispose(decoder);
  },
);

test.each(Object.entries(cases))("%s says whether it knows a direction", (_, { make }) => {
  const decoder = make();
  const [a, b] = [randomFloats(4 * dim, 1), randomFloats(4 * dim, 2)];
  const scored = (from: Float32Array, to: Float32Array) =>
    tidy(() => [...decoder.score(tensor2d(from, [4, dim]), tensor2d(to, [4, dim])).dataSync<"float32">()]);
  const gap = Math.max(...scored(a, b).map((score, row) => Math.abs(score - scored(b, a)[row]!)));
  if (decoder.isSymmetric) expect(gap).toBeLessThan(1e-6);
  else expect(gap).toBeGreaterThan(1e-3);
  dispose(decoder);
});

test.each([
  ["complEx", () => complExDecoder({ dim: 5, seed: 0 })],
  ["rotatE", () => rotatEDecoder({ dim: 5, seed: 0, margin: 1 })],
])("%s refuses rows that have no halves", (name, make) => {
  expect(make).toThrow(`${name} halves rows`);
});

test("equal ends leave gradients finite where a length has no slope", () => {
  for (const decoder of [transEDecoder({ ...shape, norm: 2, margin: 1 }), rotatEDecoder({ ...shape, margin: 1 })]) {
    for (const { variable } of decoder.variables) tidy(() => variable.assign(mul(variable, 0)));
    const row = randomFloats(dim, 1);
    const [slopes] = gradientsOf(decoder, [row, row], Float32Array.of(1));
    expect(slopes!.every(Number.isFinite)).toBe(true);
    dispose(decoder);
  }
});
