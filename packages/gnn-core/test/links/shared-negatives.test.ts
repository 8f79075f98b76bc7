import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { cosineDecoder } from "../../src/links/decoders/cosine.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import { linkLoss, sharedLoss } from "../../src/links/link-task.ts";
import { binaryCrossEntropy } from "../../src/links/losses/binary-cross-entropy.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { infoNce } from "../../src/links/losses/info-nce.ts";
import { marginLoss } from "../../src/links/losses/margin.ts";
import { selfAdversarialWeights } from "../../src/links/losses/negative-weights.ts";
import { softmaxLoss } from "../../src/links/losses/softmax.ts";
import { type SharedNodes, sharedTails } from "../../src/links/negatives/shared.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

/** Users 0 … 9, items 10 … 39 */
const numNodes = 40;
const groups = NodeGroups.of({
  codes: Int32Array.from({ length: numNodes }, (_, node) => Number(node >= 10)),
  names: ["user", "item"],
})!;
const links = { src: Int32Array.of(0, 1, 12, 1, 30), dst: Int32Array.of(10, 25, 3, 11, 4) };

describe("the nodes that a step's links share", () => {
  const drawn = (perLink: number, at = { epoch: 1, step: 2 }, seed = 5) =>
    sharedTails({ perLink, seed, numNodes, groups }).draw({ links, ...at });

  test.each([3, 8, 17])("are %i distinct ones of each type that links end in, all where it has no more", (perLink) => {
    const { nodes, sets } = drawn(perLink);
    expect(sets.map(({ type, begin, end }) => [type, end - begin])).toEqual([
      [0, Math.min(perLink, 10)],
      [1, perLink],
    ]);
    for (const { type, begin, end } of sets) {
      const own = nodes.subarray(begin, end);
      expect(new Set(own).size).toBe(own.length);
      expect([...own].every((node) => groups.typeOf(node) === type)).toBe(true);
    }
  });

  test("are drawn anew in every step, by the seed", () => {
    expect(drawn(6)).toEqual(drawn(6));
    for (const other of [drawn(6, { epoch: 2, step: 2 }), drawn(6, { epoch: 1, step: 3 }), drawn(6, undefined, 6)]) {
      expect(other.nodes).not.toEqual(drawn(6).nodes);
    }
  });

  test("are any node alike", () => {
    const counts = new Int32Array(numNodes);
    const sampler = sharedTails({ perLink: 10, seed: 1, numNodes });
    for (let step = 0; step < 800; step++) {
      for (const node of sampler.draw({ links, epoch: 0, step }).nodes) counts[node]! += 1;
    }
    // 800 draws of 10 in 40: 200 each, with a standard deviation of √(800·¼·¾) = 12
    expect(Math.min(...counts)).toBeGreaterThan(200 - 60);
    expect(Math.max(...counts)).toBeLessThan(200 + 60);
  });
});

const dim = 6;
const losses = {
  binaryCrossEntropy: binaryCrossEntropy(),
  softmax: softmaxLoss(),
  infoNce: infoNce(0.3),
  bpr: bpr(selfAdversarialWeights(0.7)),
  margin: marginLoss(1),
};
const decoders = {
  dot: () => dotDecoder(),
  cosine: () => cosineDecoder(),
  distMult: () => distMultDecoder({ dim, seed: 2, numRelations: 3 }),
};
const relations = Int32Array.of(0, 2, 1, 1, 2);
const shared = (): SharedNodes =>
  sharedTails({ perLink: 7, seed: 3, numNodes, groups }).draw({ links, epoch: 0, step: 0 });
const rowsOf = (nodes: Int32Array) => ({ srcRows: links.src, dstRows: links.dst, otherRows: nodes, relations });

/** Pairs of each link with the nodes of its set, one by one. */
function perLinkBatch({ nodes, sets }: SharedNodes) {
  const own = Array.from(links.dst, (target) => {
    const { begin, end } = sets.find(({ type }) => type === groups.typeOf(target))!;
    return [...nodes.subarray(begin, end)];
  });
  return {
    srcRows: Int32Array.from([...links.src, ...own.flatMap((set, i) => set.map(() => links.src[i]!))]),
    dstRows: Int32Array.from([...links.dst, ...own.flat()]),
    relations: Int32Array.from([...relations, ...own.flatMap((set, i) => set.map(() => relations[i]!))]),
  };
}

describe.each(Object.entries(decoders))("scores of %s with shared nodes", (_decoder, make) => {
  test.each(Object.entries(losses))("cost by %s what the same negatives of each link do", async (_loss, loss) => {
    const nothing = await PairIndex.of({ src: new Int32Array(), dst: new Int32Array() }, numNodes, true);
    const decoder = make();
    const outputs = tensor2d(randomFloats(numNodes * dim, 9), [numNodes, dim]);
    const among = shared();
    // A node is no negative of its own; here none is drawn for itself.
    const scoring = { product: decoder.product!, loss, seen: nothing, groups };
    const value = (task: { lossSum: ReturnType<typeof linkLoss>["lossSum"] }) =>
      tidy(() => task.lossSum(outputs, new Int32Array()).dataSync<"float32">()[0]!);
    const pairs = { ...links, relations };
    const found = value(sharedLoss(scoring, rowsOf(among.nodes), { pairs, shared: among }));
    const expected = value(linkLoss({ decoder, loss, perLink: 7 }, perLinkBatch(among), links.src.length));
    expect(found).toBeCloseTo(expected, 4);
    outputs.dispose();
    for (const { variable } of decoder.variables) variable.dispose();
  });
});

test("a shared node that the source is linked with, or is itself, counts nothing, in the loss and its gradient", async () => {
  // In no order, and a source that has two links.
  const among: SharedNodes = { nodes: Int32Array.of(25, 15, 20, 12), sets: [{ type: 0, begin: 0, end: 4 }] };
  const pairs = { src: Int32Array.of(1, 15, 2, 1), dst: Int32Array.of(25, 30, 31, 20) };
  const seen = await PairIndex.of({ src: Int32Array.of(1, 1, 15), dst: Int32Array.of(25, 20, 30) }, numNodes, true);
  const left = [
    [12, 15],
    [12, 20, 25],
    [12, 15, 20, 25],
    [12, 15],
  ];
  const rows = { srcRows: pairs.src, dstRows: pairs.dst, otherRows: among.nodes };
  checkOp({
    inputs: { outputs: [numNodes, 3] },
    run: ({ outputs }) =>
      tidy(() =>
        sharedLoss({ product: dotDecoder().product!, loss: softmaxLoss(), seen, groups: null }, rows, {
          pairs,
          shared: among,
        }).lossSum(outputs as Tensor2D, new Int32Array()),
      ),
    reference: ({ outputs }) => {
      const score = (a: number, b: number) =>
        [0, 1, 2].reduce((sum, k) => sum + outputs[3 * a + k]! * outputs[3 * b + k]!, 0);
      let total = 0;
      for (const [i, source] of pairs.src.entries()) {
        const own = score(source, pairs.dst[i]!);
        total +=
          Math.log([own, ...left[i]!.map((v) => score(source, v))].reduce((sum, s) => sum + Math.exp(s), 0)) - own;
      }
      return Float64Array.of(total);
    },
  });
});
