import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Scalar, sum, type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { complExDecoder } from "../../src/links/decoders/compl-ex.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import { linksOf, withLinkPenalty } from "../../src/links/link-penalty.ts";
import { linkLoss } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const [numNodes, dim, numRelations, weight] = [7, 4, 3, 0.7];
/** Two links, and a negative of each behind them. */
const ends = {
  srcRows: Int32Array.of(0, 3, 0, 3),
  dstRows: Int32Array.of(2, 4, 6, 1),
  relations: Int32Array.of(2, 0, 2, 0),
};
const numLinks = 2;
const nothing = linkLoss({ decoder: dotDecoder(), loss: binaryCrossEntropy(), perLink: 1 }, ends, numLinks);
const free = { ...nothing, lossSum: () => sum<Scalar>(tensor1d([0])) };

/** The moduli of a complex row, or the sizes of a real one. */
function sizesOf(row: Float64Array, isComplex: boolean): number[] {
  if (!isComplex) return Array.from(row, Math.abs);
  return Array.from({ length: dim / 2 }, (_, k) => Math.hypot(row[k]!, row[k + dim / 2]!));
}

test.each([
  ["l2", "distMult", distMultDecoder, 2],
  ["n3", "distMult", distMultDecoder, 3],
  ["n3", "complEx", complExDecoder, 3],
] as const)("%s with %s is its formula over the links alone, with its gradient", (type, name, make, power) => {
  const decoder = make({ dim, seed: 5, numRelations });
  const weights = Float64Array.from(decoder.variables[0]!.variable.dataSync<"float32">());
  const isComplex = name === "complEx";
  checkOp({
    inputs: { outputs: [numNodes, dim] },
    run: ({ outputs }) =>
      tidy(() =>
        withLinkPenalty(free, { type, weight }, decoder, linksOf(ends, numLinks)).lossSum(
          outputs as Tensor2D,
          ends.srcRows,
        ),
      ),
    reference: ({ outputs }) => {
      let total = 0;
      for (let link = 0; link < numLinks; link++) {
        const rowsOf = (table: Float64Array, row: number) => table.subarray(row * dim, (row + 1) * dim);
        const rows = [
          rowsOf(outputs, ends.srcRows[link]!),
          rowsOf(outputs, ends.dstRows[link]!),
          rowsOf(weights, ends.relations[link]!),
        ];
        for (const size of rows.flatMap((row) => sizesOf(row, isComplex))) total += size ** power;
      }
      return Float64Array.of(weight * total);
    },
  });
  decoder.variables[0]!.variable.dispose();
});

test("it is added to the loss, and a decoder without rows of relations has those of the ends alone", () => {
  const outputs = tensor2d(randomFloats(numNodes * dim, 4), [numNodes, dim]);
  const penalised = withLinkPenalty(nothing, { type: "l2", weight }, dotDecoder(), linksOf(ends, numLinks));
  const [plain, more] = [nothing, penalised].map((loss) =>
    tidy(() => loss.lossSum(outputs, ends.srcRows).dataSync<"float32">()[0]!),
  );
  const rows = outputs.arraySync();
  const squares = [0, 3, 2, 4].flatMap((row) => rows[row]!).reduce((all, x) => all + x * x, 0);
  expect(more! - plain!).toBeCloseTo(weight * squares, 4);
  outputs.dispose();
});

test("several targets of a source count together as one", () => {
  const outputs = tensor2d(randomFloats(numNodes * dim, 4), [numNodes, dim]);
  const links = { srcRows: Int32Array.of(5, 0), targets: Int32Array.of(1, 2, 6, 3), starts: Int32Array.of(0, 3, 4) };
  const penalised = withLinkPenalty(free, { type: "l2", weight: 1 }, dotDecoder(), links);
  const added = tidy(() => penalised.lossSum(outputs, links.srcRows).dataSync<"float32">()[0]!);
  const rows = outputs.arraySync();
  const square = (node: number) => rows[node]!.reduce((all, x) => all + x * x, 0);
  expect(added).toBeCloseTo(square(5) + (square(1) + square(2) + square(6)) / 3 + square(0) + square(3), 4);
  outputs.dispose();
});
