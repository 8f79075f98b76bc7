import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { cosineDecoder } from "../../src/links/decoders/cosine.ts";
import { linkLoss, sharedLoss } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { infoNce } from "../../src/links/losses/info-nce.ts";
import type { LinkLoss } from "../../src/links/losses/link-loss.ts";
import { marginLoss } from "../../src/links/losses/margin.ts";
import { selfAdversarialWeights } from "../../src/links/losses/negative-weights.ts";
import { softmaxLoss } from "../../src/links/losses/softmax.ts";
import { checkOp } from "../support/check-op.ts";

beforeAll(() => selectBackend("native"));

const perLink = 4;

interface LossCase {
  readonly make: () => LinkLoss;
  /** The paper's formula of one link's score and its negatives' */
  readonly ofLink: (positive: number, negatives: readonly number[]) => number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const logSigmoid = (x: number) => -Math.log(1 + Math.exp(-x));

const cases: Record<string, LossCase> = {
  binaryCrossEntropy: {
    make: binaryCrossEntropy,
    ofLink: (s, negatives) => -logSigmoid(s) - mean(negatives.map((n) => Math.log(1 - 1 / (1 + Math.exp(-n))))),
  },
  softmax: {
    make: softmaxLoss,
    ofLink: (s, negatives) => -Math.log(Math.exp(s) / (Math.exp(s) + mean(negatives.map(Math.exp)) * perLink)),
  },
  "infoNce of temperature 0.5": {
    make: () => infoNce(0.5),
    ofLink: (s, negatives) => Math.log(1 + negatives.reduce((sum, n) => sum + Math.exp((n - s) / 0.5), 0)),
  },
  bpr: { make: bpr, ofLink: (s, negatives) => -mean(negatives.map((n) => logSigmoid(s - n))) },
  "margin of 0.7": {
    make: () => marginLoss(0.7),
    ofLink: (s, negatives) => mean(negatives.map((n) => Math.max(0, 0.7 - s + n))),
  },
};

test.each(Object.entries(cases))("%s is its formula summed over links, with its gradient", (_, { make, ofLink }) => {
  const loss = make();
  checkOp({
    inputs: { positives: [6, 1], negatives: [6, perLink] },
    run: ({ positives, negatives }) => tidy(() => loss(positives as Tensor2D, negatives as Tensor2D)),
    reference: ({ positives, negatives }) =>
      Float64Array.of(
        positives.reduce(
          (sum, s, i) => sum + ofLink(s, Array.from(negatives.subarray(i * perLink, (i + 1) * perLink))),
          0,
        ),
      ),
  });
});

function valueOf(loss: LinkLoss, positives: readonly number[], negatives: readonly number[]): number {
  const rows = positives.length;
  return tidy(
    () =>
      loss(
        tensor2d(Float32Array.from(positives), [rows, 1]),
        tensor2d(Float32Array.from(negatives), [rows, negatives.length / rows]),
      ).dataSync<"float32">()[0] as number,
  );
}

test("equal scores cost what a guess costs", () => {
  expect(valueOf(binaryCrossEntropy(), [0, 0], [0, 0, 0, 0])).toBeCloseTo(2 * 2 * Math.log(2), 5);
  expect(valueOf(softmaxLoss(), [3], [3, 3, 3])).toBeCloseTo(Math.log(4), 5);
  expect(valueOf(infoNce(0.1), [3], [3, 3, 3])).toBeCloseTo(Math.log(4), 5);
  expect(valueOf(bpr(), [2], [2, 2])).toBeCloseTo(Math.log(2), 5);
  expect(valueOf(marginLoss(1), [2], [2, 2])).toBeCloseTo(1, 5);
});

test("scores of a thousand neither overflow nor lose what they cost", () => {
  expect(valueOf(binaryCrossEntropy(), [-1000], [1000])).toBeCloseTo(2000, 1);
  expect(valueOf(binaryCrossEntropy(), [1000], [-1000])).toBe(0);
  expect(valueOf(softmaxLoss(), [-1000], [1000])).toBeCloseTo(2000, 1);
  expect(valueOf(bpr(), [-1000], [1000])).toBeCloseTo(2000, 1);
});

test("self-adversarial weights are the softmax of the negatives' scores, and no gradient goes through them", () => {
  const weights = selfAdversarialWeights(0.5);
  const negatives = [Math.log(4), 0, 2000, 1999];
  const found = tidy(() => [...weights(tensor2d(negatives, [2, 2])).dataSync<"float32">()]);
  const second = 1 / (1 + Math.exp(-0.5));
  expect(found).toEqual([2 / 3, 1 / 3, second, 1 - second].map((value) => expect.closeTo(value, 5)));

  const fixed = Float64Array.of(0.1, -0.4, 0.3);
  const parts = fixed.map((n) => Math.exp(0.5 * n));
  const total = parts.reduce((sum, part) => sum + part, 0);
  checkOp({
    inputs: { positives: [1, 1] },
    run: ({ positives }) =>
      tidy(() => binaryCrossEntropy(weights)(positives as Tensor2D, tensor2d(Float32Array.from(fixed), [1, 3]))),
    reference: ({ positives }) =>
      Float64Array.of(
        -logSigmoid(positives[0]!) - parts.reduce((sum, part, j) => sum + (part / total) * logSigmoid(-fixed[j]!), 0),
      ),
  });
});

/** Cosine of two of the rows, by its definition */
function cosine(rows: Float64Array, a: number, b: number, dim: number): number {
  const product = (i: number, j: number) =>
    Array.from({ length: dim }, (_, k) => rows[i * dim + k]! * rows[j * dim + k]!).reduce((sum, each) => sum + each, 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

test("infoNce of cosines has the gradient of its formula by the rows, drawn for each link and shared by them", async () => {
  const [dim, temperature] = [5, 0.2];
  const [src, dst] = [Int32Array.of(0, 1, 2, 0), Int32Array.of(3, 4, 5, 6)];
  const others = Int32Array.of(7, 8, 9);
  const perLink = others.length;
  const loss = infoNce(temperature);
  const decoder = cosineDecoder();
  const reference = ({ rows }: { rows: Float64Array }) =>
    Float64Array.of(
      src.reduce((sum, source, i) => {
        const own = cosine(rows, source, dst[i]!, dim);
        const beside = Array.from(others, (other) => Math.exp((cosine(rows, source, other, dim) - own) / temperature));
        return sum + Math.log(1 + beside.reduce((all, each) => all + each, 0));
      }, 0),
    );
  const inputs = { rows: [10, dim] };
  const each = Int32Array.from({ length: src.length * perLink }, (_, i) => Math.floor(i / perLink));
  const drawn = linkLoss(
    { decoder, loss, perLink },
    {
      srcRows: Int32Array.from([...src, ...each.map((link) => src[link]!)]),
      dstRows: Int32Array.from([...dst, ...each.map((_link, i) => others[i % perLink]!)]),
    },
    src.length,
  );
  const shared = sharedLoss(
    { product: decoder.product!, loss, seen: await PairIndex.of({ src, dst }, 10, true), groups: null },
    { srcRows: src, dstRows: dst, otherRows: others },
    { pairs: { src, dst }, shared: { nodes: others, sets: [{ type: 0, begin: 0, end: perLink }] } },
  );
  for (const task of [drawn, shared]) {
    checkOp({ inputs, run: ({ rows }) => tidy(() => task.lossSum(rows as Tensor2D, new Int32Array())), reference });
  }
});
