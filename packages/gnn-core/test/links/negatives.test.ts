import { beforeAll, describe, expect, test } from "vitest";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { bothEnds } from "../../src/links/negatives/both-ends.ts";
import { tailsByDegree } from "../../src/links/negatives/by-degree.ts";
import type { NegativeOptions } from "../../src/links/negatives/draw-pairs.ts";
import { inBatchTails } from "../../src/links/negatives/in-batch.ts";
import { jointTails } from "../../src/links/negatives/joint.ts";
import { listedTails } from "../../src/links/negatives/listed.ts";
import type { NegativeSampler, PositiveBatch } from "../../src/links/negatives/negative-sampler.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";

const numNodes = 30;
const numLinks = 24;
/** A star around 0 and a path: 0→1 … 0→12, 13→14 … 24→25 */
const links: NodePairs = {
  src: Int32Array.from({ length: numLinks }, (_, i) => (i < 12 ? 0 : i + 1)),
  dst: Int32Array.from({ length: numLinks }, (_, i) => (i < 12 ? i + 1 : i + 2)),
};
const listed = Int32Array.from({ length: numLinks * 5 }, (_, i) => 25 + (i % 5));
let options: NegativeOptions;
beforeAll(async () => {
  options = { perLink: 3, seed: 8, seen: await PairIndex.of(links, numNodes, true) };
});

const samplers: Record<string, (options: NegativeOptions) => NegativeSampler> = {
  uniformTail,
  bothEnds,
  jointTails,
  inBatchTails,
  tailsByDegree,
  listedTails: (given) => listedTails({ ...given, targets: listed, perRow: 5 }),
};

function batchOf(first = 0, end = numLinks, epoch = 1, step = 0): PositiveBatch {
  return { links, ids: Int32Array.from(links.src.keys()), first, end, epoch, step };
}

function pairsOf({ src, dst }: NodePairs): (readonly [number, number])[] {
  return Array.from(src, (from, i) => [from, dst[i]!] as const);
}

describe.each(Object.entries(samplers))("%s", (name, make) => {
  test("gives each link its negatives: no links, no node with itself, one end its own", () => {
    const drawn = pairsOf(make(options).draw(batchOf()));
    expect(drawn).toHaveLength(numLinks * 3);
    for (const [row, [src, dst]] of drawn.entries()) {
      const link = Math.floor(row / 3);
      expect(options.seen.has(src, dst)).toBe(false);
      expect(src).not.toBe(dst);
      const keepsSource = name !== "bothEnds" || row % 3 !== 1;
      expect(keepsSource ? src : dst).toBe(keepsSource ? links.src[link] : links.dst[link]);
    }
  });

  test("two ranks draw together what one does, and the same again", () => {
    const sampler = make(options);
    const whole = pairsOf(sampler.draw(batchOf()));
    expect([...pairsOf(sampler.draw(batchOf(0, 11))), ...pairsOf(sampler.draw(batchOf(11)))]).toEqual(whole);
    expect(sampler.draw(batchOf(5, 5)).src).toHaveLength(0);
  });

  test("draws anew in every epoch, by the seed", () => {
    const drawn = (seed: number, epoch: number) =>
      pairsOf(make({ ...options, seed }).draw(batchOf(0, numLinks, epoch, epoch)));
    // In one batch of all links the targets of the next links stay; what replaces links among them does not.
    expect(drawn(8, 2)).not.toEqual(drawn(8, 1));
    expect(drawn(9, 1)).not.toEqual(drawn(8, 1));
  });
});

test("joint targets are one set per step but where they are linked", () => {
  const drawn = pairsOf(jointTails(options).draw(batchOf(12, numLinks)));
  const sets = drawn.map(([, dst], row) => ({ dst, j: row % 3 }));
  for (const j of [0, 1, 2]) {
    const counts = new Map<number, number>();
    for (const each of sets.filter((set) => set.j === j)) counts.set(each.dst, (counts.get(each.dst) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeGreaterThanOrEqual(10); // of the 12 links of the path
  }
});

test("in-batch targets are those of the next links", () => {
  const drawn = pairsOf(inBatchTails(options).draw(batchOf(13, 15)));
  expect(drawn.map(([, dst]) => dst)).toEqual([16, 17, 18, 17, 18, 19]); // links 13 and 14 end in 15 and 16
});

test("targets by degree come as often as degree^0.75 says, those without a link never", async () => {
  const seen = await PairIndex.of(links, numNodes, false);
  const sampler = tailsByDegree({ perLink: 400, seed: 1, seen });
  const counts = new Float64Array(numNodes);
  // The sources 13 … 24 have two links at most: nearly all targets are theirs to draw.
  for (const [, dst] of pairsOf(sampler.draw(batchOf(12, numLinks)))) counts[dst]! += 1;
  const weight = (node: number) => seen.targetsOf(node).length ** 0.75;
  const total = Array.from({ length: numNodes }, (_, node) => (node < 26 ? weight(node) : 0)).reduce(
    (a, b) => a + b,
    0,
  );
  const drawn = counts.reduce((a, b) => a + b, 0);
  expect(drawn).toBe(12 * 400);
  expect(counts[0]! / drawn).toBeCloseTo(weight(0) / total, 1); // 12^0.75 = 6.4 of about 35
  const fromDegree = counts.subarray(0, 26).reduce((a, b) => a + b, 0);
  expect(fromDegree / drawn).toBeGreaterThan(0.98);
});

test("listed targets come from the list, and a list that is too short is refused", () => {
  const drawn = pairsOf(listedTails({ ...options, targets: listed, perRow: 5 }).draw(batchOf(0, 12)));
  expect(drawn.every(([, dst]) => dst >= 25)).toBe(true);
  for (let link = 0; link < 12; link++) {
    expect(new Set(drawn.slice(link * 3, link * 3 + 3).map(([, dst]) => dst)).size).toBe(3);
  }
  expect(() => listedTails({ ...options, targets: listed, perRow: 2 })).toThrow("3 negatives per link");
  expect(() => listedTails({ ...options, targets: listed, perRow: 7 })).toThrow("120 targets are listed");
});

test("a source that is linked with all others gets pairs all the same", async () => {
  const full = { src: new Int32Array(3), dst: Int32Array.of(1, 2, 3) };
  const seen = await PairIndex.of(full, 4, true);
  const batch = { ...batchOf(0, 3), links: full, ids: Int32Array.of(0, 1, 2) };
  expect(pairsOf(uniformTail({ perLink: 2, seed: 0, seen }).draw(batch))).toHaveLength(6);
});
