import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { recommendationFigures } from "../../src/links/recommendation-figures.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const [numUsers, numItems, dim] = [25, 60, 6];
const numNodes = numUsers + numItems;
const codes = Int32Array.from({ length: numNodes }, (_, node) => Number(node >= numUsers));
const groups = NodeGroups.of({ codes, names: ["user", "item"] })!;

/** Visits as rows that have either end first; some of them are held out. */
function visits(count: number, seed: number): NodePairs {
  const random = seededRandom(seed);
  const known = new Set<string>();
  const rows: [number, number][] = [];
  while (rows.length < count) {
    const user = Math.floor(random() * numUsers);
    const item = numUsers + Math.floor(random() * numItems);
    if (known.has(`${user} ${item}`)) continue;
    known.add(`${user} ${item}`);
    rows.push(random() < 0.5 ? [user, item] : [item, user]);
  }
  return { src: Int32Array.from(rows, ([src]) => src), dst: Int32Array.from(rows, ([, dst]) => dst) };
}

const all = visits(400, 3);
const isHeldOut = (row: number) => row % 4 === 0;
const some = (isWanted: (row: number) => boolean): NodePairs => ({
  src: all.src.filter((_, row) => isWanted(row)),
  dst: all.dst.filter((_, row) => isWanted(row)),
});
const heldOut = some(isHeldOut);
const training = some((row) => !isHeldOut(row));
const rows = randomFloats(numNodes * dim, 8);

/** Recall@20 and NDCG@20 of each node of some, from its sorted list: no two scores are equal. */
function byLists(asked: (node: number) => boolean, isCandidate: (node: number, of: number) => boolean) {
  const score = (a: number, b: number) => {
    let sum = 0;
    for (let k = 0; k < dim; k++) sum += rows[a * dim + k]! * rows[b * dim + k]!;
    return sum;
  };
  const partnersIn = ({ src, dst }: NodePairs, node: number) =>
    new Set([...src].flatMap((from, i) => (from === node ? [dst[i]!] : dst[i] === node ? [from] : [])));
  const recalls: number[] = [];
  const gains: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    const wanted = partnersIn(heldOut, node);
    if (!asked(node) || wanted.size === 0) continue;
    const seen = partnersIn(training, node);
    const list = Array.from({ length: numNodes }, (_, other) => other)
      .filter((other) => other !== node && isCandidate(other, node) && !seen.has(other))
      .toSorted((a, b) => score(node, b) - score(node, a))
      .slice(0, 20);
    recalls.push(list.filter((other) => wanted.has(other)).length / wanted.size);
    const gain = list.reduce((sum, other, place) => sum + (wanted.has(other) ? 1 / Math.log2(place + 2) : 0), 0);
    const best = Array.from({ length: Math.min(20, wanted.size) }, (_, place) => 1 / Math.log2(place + 2));
    gains.push(gain / best.reduce((sum, value) => sum + value, 0));
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return { "recall@20": mean(recalls), "ndcg@20": mean(gains) };
}

test.each([
  ["the users' lists of items", "user", true],
  ["the items' lists of users", "item", true],
  ["the lists of both ends", null, true],
  ["the lists of nodes without types", null, false],
] as const)("%s are judged as sorted lists are, on one rank as on three", async (_name, to, isTyped) => {
  const seen = await PairIndex.of(training, numNodes, false);
  const split = { seen, groups: isTyped ? groups : null, directed: false };
  const typeOf = (node: number) => (node < numUsers ? "user" : "item");
  const expected = byLists(
    (node) => to === null || typeOf(node) === to,
    (other, node) => !isTyped || typeOf(other) !== typeOf(node),
  );
  for (const worldSize of [1, 3]) {
    const found = await Promise.all(
      loopbackGroup(worldSize).map((collective, rank) => {
        const ranked = { nodes: { rows, dim }, decoder: dotDecoder(), rank: { rank, worldSize, collective } };
        return recommendationFigures(ranked, split, heldOut, to);
      }),
    );
    for (const figures of found) {
      expect(figures["recall@20"]).toBeCloseTo(expected["recall@20"], 6);
      expect(figures["ndcg@20"]).toBeCloseTo(expected["ndcg@20"], 6);
    }
  }
});

async function learning(to: string | null): Promise<LinkLearning> {
  const split = await splitLinks(
    { ...all, numNodes, directed: false, nodeTypes: { codes, names: ["user", "item"] } },
    { sides: { type: "random", val: 0.1, test: 0.1, seed: 1 }, negatives: { perLink: 1, seed: 0 } },
  );
  return {
    split,
    dim,
    decoder: dotDecoder,
    loss: bpr(),
    negatives: uniformTail({ perLink: 1, seed: 0, seen: split.seen, groups: split.groups }),
    recommends: { to },
  };
}

test("a training is judged and stopped by them; a type that there is not is refused", async () => {
  const links = await learning("user");
  const { graph } = links.split;
  const data = { graph, features: noFeatures(numNodes), split: new Int8Array(numNodes) };
  const options = {
    model: { type: "lightGcn", options: { numHops: 2 } },
    features: { embedding: { dim, optimizer: { type: "sparseAdam", options: { lr: 0.05 } } } },
    sampling: { type: "full" },
    train: { epochs: 2, batchSize: 80, earlyStopping: { metric: "val/ndcg@20", patience: 2 } },
  } as const;
  const trainer = await Trainer.create({ data, links, options });
  const { metrics, best } = await trainer.fit();
  trainer.dispose();
  expect(metrics["test/recall@20"]).toBeGreaterThan(0);
  expect(metrics["test/ndcg@20"]).toBeGreaterThan(0);
  expect(best!.metric).toBeCloseTo(metrics["val/ndcg@20"]!, 6);
  await expect(
    Trainer.create({ data, links: { ...links, recommends: { to: "shop" } }, options }),
  ).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer: "/task/recommendTo" } });
});
