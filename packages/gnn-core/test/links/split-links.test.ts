import fc from "fast-check";
import { expect, test } from "vitest";
import type { GnnError } from "../../src/errors/gnn-error.ts";
import { splitCode } from "../../src/graph/split-nodes.ts";
import type { LinkSides } from "../../src/links/link-sides.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { type LinkEdges, type LinkSplit, splitLinks } from "../../src/links/split-links.ts";

const negatives = { perLink: 1, seed: 3 };
const { train, val, test: held } = splitCode;

function edgesOf(rows: readonly (readonly [number, number])[], numNodes: number, directed = false): LinkEdges {
  const [src, dst] = [0, 1].map((end) => Int32Array.from(rows, (row) => row[end] as number)) as [
    Int32Array,
    Int32Array,
  ];
  return { src, dst, numNodes, directed };
}

function rowsOf({ src, dst }: NodePairs): string[] {
  return Array.from(src, (from, i) => `${from}→${dst[i]}`);
}

/** Edges u→v of the message graph */
function messagesOf({ graph }: LinkSplit): Set<string> {
  const [part] = graph.parts;
  const found = new Set<string>();
  for (let dst = 0; dst < graph.numNodes; dst++) {
    for (let e = Number(part!.indptr[dst]); e < Number(part!.indptr[dst + 1]); e++)
      found.add(`${part!.indices[e]}→${dst}`);
  }
  return found;
}

/**
 * What a model could do at best that sees a link of the message graph where it is asked for one: chance has AUC 0.5.
 */
function aucOfPeeking(split: LinkSplit, side: "val" | "test"): number | null {
  const messages = messagesOf(split);
  const peek = ({ src, dst }: NodePairs) =>
    Float32Array.from(src, (from, i) => Number(messages.has(`${from}→${dst[i]}`) || messages.has(`${dst[i]}→${from}`)));
  return pairFigures(peek(split[side].positives), peek(split[side].negatives)).auc;
}

const ring = Array.from({ length: 40 }, (_, i) => [i, (i + 1) % 40] as const);
/** Every link once more turned around, and once more as it is */
const repeated = [...ring, ...ring.map(([a, b]) => [b, a] as const), ...ring];
/** The third copy of each link is the one that is held out: a split by rows would leave the others in the messages */
const planted = Int8Array.from(repeated, (_, row) => (row < 80 ? train : row < 100 ? held : row < 110 ? val : train));
const sides: Record<string, LinkSides> = {
  random: { type: "random", val: 0.1, test: 0.3, seed: 1 },
  column: { type: "column", split: planted },
  time: { type: "time", times: repeated.map((_, row) => row % 40), val: 0.1, test: 0.3 },
};

test.each(Object.entries(sides))(
  "split %s: repetitions and reverses of held-out links carry no message",
  async (_, by) => {
    for (const directed of [false, true]) {
      const split = await splitLinks(edgesOf(repeated, 40, directed), { sides: by, negatives });
      expect(split.test.positives.src.length).toBeGreaterThanOrEqual(12);
      expect([aucOfPeeking(split, "val"), aucOfPeeking(split, "test")]).toEqual([0.5, 0.5]);
    }
  },
);

test("the peeking model finds the leak of a message graph that has the held-out links", async () => {
  const split = await splitLinks(edgesOf(repeated, 40), { sides: sides.random!, negatives });
  const whole = await splitLinks(edgesOf(repeated, 40), {
    sides: { ...sides.random!, val: 0, test: 0 } as LinkSides,
    negatives,
  });
  expect(aucOfPeeking({ ...split, graph: whole.graph }, "test")).toBe(1);
});

test("sides come from shares, codes and times; every link has one", async () => {
  const random = await splitLinks(edgesOf(ring, 40), { sides: sides.random!, negatives });
  expect([random.train.src.length, random.val.positives.src.length, random.test.positives.src.length]).toEqual([
    24, 4, 12,
  ]);
  const column = await splitLinks(edgesOf(repeated, 40), { sides: sides.column!, negatives });
  expect([...column.test.positives.src].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  const time = await splitLinks(edgesOf(repeated, 40), { sides: sides.time!, negatives });
  expect(rowsOf(time.test.positives)).toEqual(ring.slice(28).map(([a, b]) => `${a}→${b}`)); // the newest 0.3 · 40
});

test("links of one time stay on one side, and a link is as old as its first row", async () => {
  const edges = edgesOf(
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [1, 0],
    ],
    8,
  );
  const split = await splitLinks(edges, {
    sides: { type: "time", times: [1, 2, 2, 3, 9], val: 0, test: 0.5 },
    negatives,
  });
  expect(rowsOf(split.train)).toEqual(["0→1"]);
  expect(rowsOf(split.test.positives)).toEqual(["1→2", "2→3", "3→4"]);
});

test("the same split for the same seed whatever order the rows come in, another one for another seed", async () => {
  const by = (seed: number): LinkSides => ({ type: "random", val: 0, test: 0.5, seed });
  const testOf = async (rows: typeof ring, seed: number) =>
    rowsOf((await splitLinks(edgesOf(rows, 40), { sides: by(seed), negatives })).test.positives).toSorted();
  expect(await testOf(ring.toReversed(), 1)).toEqual(await testOf(ring, 1));
  expect(await testOf(ring, 2)).not.toEqual(await testOf(ring, 1));
});

test("disjoint: no link is both learnt from and in the messages", async () => {
  const disjoint = { share: 0.4, seed: 5 };
  const split = await splitLinks(edgesOf(ring, 40), { sides: sides.random!, disjoint, negatives });
  const messages = messagesOf(split);
  expect(split.train.src.length).toBeGreaterThan(0);
  expect(rowsOf(split.train).filter((link) => messages.has(link))).toEqual([]);
  expect(split.train.src.length + messages.size / 2).toBe(24);
  expect(split.seen.numEntries).toBe(2 * 24);
});

test("directed links keep their direction, and both directions of a pair lie on one side", async () => {
  const edges = edgesOf(
    [
      [0, 1],
      [1, 0],
      [2, 3],
      [4, 5],
      [4, 5],
    ],
    6,
    true,
  );
  const split = await splitLinks(edges, { sides: { type: "column", split: [1, 3, 1, 1, 1] }, negatives });
  expect(rowsOf(split.test.positives)).toEqual(["0→1", "1→0"]);
  expect(rowsOf(split.train)).toEqual(["2→3", "4→5"]);
  expect([...messagesOf(split)].toSorted()).toEqual(["2→3", "4→5"]);
});

test("drawn negatives are distinct pairs of two nodes without a link, on any graph with room for them", async () => {
  const rows = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { minLength: 3, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), fc.nat(99), async (drawn, directed, seed) => {
      const edges = edgesOf([[0, 1], [2, 1], [3, 1], ...drawn], 12, directed);
      const by: LinkSides = { type: "random", val: 0.2, test: 0.3, seed };
      const split = await splitLinks(edges, { sides: by, negatives: { perLink: 2, seed } });
      const both = [...rowsOf(split.val.negatives), ...rowsOf(split.test.negatives)];
      const count = split.val.positives.src.length + split.test.positives.src.length;
      const turned = both.map((pair) => pair.split("→").toReversed().join("→"));
      expect(new Set(directed ? both : [...both, ...turned]).size).toBe((directed ? 2 : 4) * count);
      const links = new Set(rowsOf(edges));
      for (const [i, pair] of both.entries()) {
        expect(links.has(pair)).toBe(false);
        if (!directed) expect(links.has(turned[i]!)).toBe(false);
        expect(pair).not.toBe(turned[i]);
      }
    }),
    { numRuns: 25 },
  );
});

test("negatives do not change with the split's sides when as many are drawn: they are the data's, not the run's", async () => {
  const split = (seed: number) =>
    splitLinks(edgesOf(ring, 40), { sides: { type: "random", val: 0.1, test: 0.3, seed }, negatives });
  expect((await split(1)).test.negatives).toEqual((await split(2)).test.negatives);
});

const pair = (from: number, to: number): NodePairs => ({ src: Int32Array.of(from), dst: Int32Array.of(to) });

test.each([
  ["a link", pair(1, 0), pair(0, 2), "DATASET_VALUE_INVALID", "The negatives of val: row 0, 1 → 0, is a link"],
  ["a node with itself", pair(0, 2), pair(3, 3), "DATASET_VALUE_INVALID", "The negatives of test: row 0, 3 → 3, joins"],
  ["a pair twice", pair(0, 2), pair(2, 0), "DATASET_DUPLICATE", "The negatives of test: row 0, 2 → 0, was there"],
  ["a node outside", pair(0, 2), pair(0, 9), "DATASET_NODE_UNKNOWN", "The negatives of test: row 0 is 0 → 9"],
])("negatives from a file are refused when they have %s", async (_, valPairs, testPairs, code, message) => {
  const given = { val: valPairs, test: testPairs };
  const edges = edgesOf(
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
    6,
  );
  const error = await splitLinks(edges, { sides: { type: "column", split: [1, 1, 2, 3] }, negatives: given }).catch(
    (reason: GnnError) => reason,
  );
  expect(error).toMatchObject({ code, place: { line: 1 }, message: expect.stringContaining(message) });
});

test.each([
  [{ type: "random", val: 0.5, test: 0.5, seed: 0 }, "SPEC_INVALID"],
  [{ type: "column", split: [1, 1, 7, 1] }, "DATASET_VALUE_INVALID"],
  [{ type: "column", split: [1, 1] }, "SHAPE_MISMATCH"],
  [{ type: "column", split: [2, 2, 3, 3] }, "TRAIN_NO_LABELS"],
  [{ type: "time", times: [1, 2, Number.NaN, 4], val: 0, test: 0.5 }, "DATASET_VALUE_INVALID"],
] as const)("sides %j of four edges are refused as %s", async (by, code) => {
  const edges = edgesOf(
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ],
    6,
  );
  await expect(splitLinks(edges, { sides: by, negatives })).rejects.toMatchObject({ code });
});

test("a graph without room for the negatives says how many pairs it has", async () => {
  const complete = edgesOf(
    [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ],
    4,
  );
  const options = { sides: { type: "random", val: 0, test: 0.5, seed: 0 } as const, negatives };
  await expect(splitLinks(complete, options)).rejects.toThrow("3 negatives are asked for, and 0 pairs of nodes");
});
