import { expect, test } from "vitest";
import { askedDirection } from "../../src/links/asked-direction.ts";
import { linkBatches } from "../../src/links/link-batches.ts";
import { noNegatives } from "../../src/links/negatives/none.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import { trainingQueries } from "../../src/links/training-queries.ts";

/** Users 0 … 4, items 5 … 11; a link joins two users, and one two items. */
const codes = Int32Array.from({ length: 12 }, (_, node) => Number(node >= 5));
const names = ["user", "item"];
const groups = NodeGroups.of({ codes, names })!;
const visits = [0, 1, 2, 3, 4].flatMap((user) => [0, 1, 2].map((k) => [user, 5 + ((user + 2 * k) % 7)] as const));
const pairs = [...visits.map(([user, item], i) => (i % 2 ? [item, user] : [user, item])), [0, 1], [6, 9]];

function askedIn(recommendTo: string | null, epochs = 20): Map<string, Set<number>> {
  const train = { src: Int32Array.from(pairs, ([a]) => a!), dst: Int32Array.from(pairs, ([, b]) => b!) };
  const asksFromSource = askedDirection(recommendTo, groups);
  const asked = new Map<string, Set<number>>();
  for (let epoch = 0; epoch < epochs; epoch++) {
    const options = { train, directed: false, negatives: noNegatives(), asksFromSource, seed: 1, batchSize: 4 };
    for (const { pairs: of } of linkBatches({ ...options, epoch, rank: 0, worldSize: 1 })) {
      for (const [i, from] of of.src.entries()) {
        const name = [from, of.dst[i]!].toSorted((a, b) => a - b).join(" ");
        asked.set(name, (asked.get(name) ?? new Set()).add(from));
      }
    }
  }
  return asked;
}

test("where lists are made to users, each visit is asked from its user, whichever way it is stored", () => {
  const asked = askedIn("user");
  for (const [user, item] of visits) expect([...asked.get(`${user} ${item}`)!]).toEqual([user]);
});

test("links of two users, or of two items, are asked from either end, and so are all where either end gets a list", () => {
  const asked = askedIn("user");
  expect(asked.get("0 1")!.size).toBe(2);
  expect(asked.get("6 9")!.size).toBe(2);
  for (const from of askedIn(null).values()) expect(from.size).toBe(2);
});

test("queries of all targets at once are asked from users alone", async () => {
  const split = await splitLinks(
    {
      src: Int32Array.from(visits, ([user]) => user),
      dst: Int32Array.from(visits, ([, item]) => item),
      numNodes: codes.length,
      directed: false,
      nodeTypes: { codes, names },
    },
    { sides: { type: "random", val: 0, test: 0.1, seed: 1 }, negatives: { perLink: 1, seed: 0 } },
  );
  const { pairs: queries, targets } = trainingQueries(split, "user");
  expect([...queries.src].every((node) => node < 5)).toBe(true);
  expect(targets).toHaveLength(split.train.src.length);
  expect(trainingQueries(split).targets).toHaveLength(2 * split.train.src.length);
});

test("a type that no node has is refused with those that there are", () => {
  expect(() => askedDirection("reader", groups)).toThrow(/of the types user, item/);
});
