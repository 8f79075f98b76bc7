import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import { bothEnds } from "../../src/links/negatives/both-ends.ts";
import { tailsByDegree } from "../../src/links/negatives/by-degree.ts";
import type { NegativeOptions } from "../../src/links/negatives/draw-pairs.ts";
import { inBatchTails } from "../../src/links/negatives/in-batch.ts";
import { jointTails } from "../../src/links/negatives/joint.ts";
import type { NegativeSampler } from "../../src/links/negatives/negative-sampler.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { pairFigures } from "../../src/links/pair-figures.ts";
import { rankLinks } from "../../src/links/rank-links.ts";
import { reachedTypes } from "../../src/links/reached-types.ts";
import { type LinkEdges, splitLinks } from "../../src/links/split-links.ts";
import { topOfAll } from "../../src/links/top-of-all.ts";

beforeAll(() => selectBackend("native"));

const names = ["author", "paper", "subject"];
const [author, paper, subject] = [0, 1, 2];
const numNodes = 60;
/** The types lie mixed, as they do by GlobalId. */
const codes = Int32Array.from({ length: numNodes }, (_, node) =>
  node % 5 === 0 ? subject : node % 2 ? paper : author,
);
const groups = NodeGroups.of({ codes, names })!;
const nodesOf = (type: number) => [...codes.keys()].filter((node) => codes[node] === type);

/** Papers are written by two authors and about one subject each; both relations have their reverse. */
const rows = nodesOf(paper).flatMap((node, i) => {
  const [authors, subjects] = [nodesOf(author), nodesOf(subject)];
  const near = [authors[i]!, authors[(i * 5 + 2) % authors.length]!, subjects[i % subjects.length]!];
  return [...new Set(near)].flatMap((other) => [[node, other] as const, [other, node] as const]);
});
const links = pairsOf(rows);

function pairsOf(given: readonly (readonly [number, number])[]): NodePairs {
  return { src: Int32Array.from(given, ([src]) => src), dst: Int32Array.from(given, ([, dst]) => dst) };
}

function listOf({ src, dst }: NodePairs): (readonly [number, number])[] {
  return Array.from(src, (from, i) => [from, dst[i]!] as const);
}

function edges(more: Partial<LinkEdges> = {}): LinkEdges {
  return { ...links, numNodes, directed: false, nodeTypes: { codes, names }, ...more };
}

describe("negatives of training", () => {
  const samplers: Record<string, (options: NegativeOptions) => NegativeSampler> = {
    uniformTail,
    bothEnds,
    jointTails,
    inBatchTails,
    tailsByDegree,
  };
  const ids = Int32Array.from(links.src.keys());
  const batch = { links, ids, first: 0, end: ids.length, epoch: 1, step: 0 };
  let options: NegativeOptions;
  beforeAll(async () => {
    options = { perLink: 4, seed: 3, seen: await PairIndex.of(links, numNodes, false), groups };
  });

  test.each(Object.entries(samplers))("%s keeps the type of the end that it replaces", (_name, make) => {
    const drawn = listOf(make(options).draw(batch));
    for (const [row, [src, dst]] of drawn.entries()) {
      const link = Math.floor(row / 4);
      expect([codes[src], codes[dst]]).toEqual([codes[links.src[link]!], codes[links.dst[link]!]]);
      expect(options.seen.has(src, dst)).toBe(false);
    }
  });

  test("uniform ones are all of the nodes, and no others, that a look at every node finds", () => {
    const drawn = listOf(uniformTail({ ...options, perLink: 300 }).draw({ ...batch, end: 8 }));
    for (let link = 0; link < 8; link++) {
      const [src, dst] = [links.src[link]!, links.dst[link]!];
      const expected = nodesOf(codes[dst]!).filter((node) => node !== src && !options.seen.has(src, node));
      const found = drawn.slice(link * 300, (link + 1) * 300).map(([, target]) => target);
      expect([...new Set(found)].toSorted((a, b) => a - b)).toEqual(expected);
      const counts = expected.map((node) => found.filter((target) => target === node).length);
      expect(Math.min(...counts)).toBeGreaterThan(300 / expected.length / 4);
    }
  });

  test("in-batch targets are those of the next links that end in the same type", () => {
    const given = pairsOf([
      [1, 2],
      [1, 5],
      [3, 4],
      [3, 10],
      [7, 6],
    ]);
    const sampler = inBatchTails({ ...options, perLink: 1 });
    const drawn = listOf(sampler.draw({ ...batch, links: given, ids: ids.subarray(0, 5), end: 5 }));
    // Links end in the authors 2, 4, 6 and the subjects 5, 10; what is linked is replaced.
    const next = [4, 10, 6, 5, 2];
    const kept = drawn.filter(([src], i) => !options.seen.has(src, next[i]!));
    expect(kept.length).toBeGreaterThan(2);
    expect(drawn.filter(([src, dst], i) => !options.seen.has(src, next[i]!) && dst !== next[i])).toEqual([]);
  });

  test("nodes that are all of one type are drawn as if they had none", () => {
    expect(NodeGroups.of({ codes: new Int32Array(numNodes), names })).toBeNull();
  });

  test("by degree: of a directed graph those that links end in, not those that they begin in", async () => {
    const star = pairsOf(Array.from({ length: 20 }, (_, i) => [i + 2, i % 4 === 0 ? 1 : 0] as const));
    const seen = await PairIndex.of(star, 30, true);
    const batch = { links: star, ids: Int32Array.from(star.src.keys()), first: 0, end: 20, epoch: 0, step: 0 };
    const targets = listOf(tailsByDegree({ perLink: 50, seed: 0, seen }).draw(batch)).map(([, dst]) => dst);
    // Every source is linked with 0 or with 1: half of what is proposed is the other of them.
    expect(targets.filter((node) => node < 2).length / targets.length).toBeGreaterThan(0.25);
  });
});

describe("held-out pairs without a link", () => {
  const by = (seed: number) => ({ type: "random", val: 0.2, test: 0.3, seed }) as const;

  test("join nodes of the types that their link joins, so that types alone tell nothing", async () => {
    for (const directed of [false, true]) {
      const split = await splitLinks(edges({ directed }), { sides: by(1), negatives: { perLink: 2, seed: 0 } });
      const typesOf = (pairs: NodePairs) => listOf(pairs).map(([src, dst]) => `${codes[src]} ${codes[dst]}`);
      const twice = typesOf(split.test.positives).flatMap((types) => [types, types]);
      expect(typesOf(split.test.negatives)).toEqual(twice);
      // Whoever scores a pair by its types alone is right by chance.
      const byTypes = (pairs: NodePairs) =>
        Float32Array.from(listOf(pairs), ([src, dst]) => codes[src]! * 7 + codes[dst]!);
      expect(pairFigures(byTypes(split.test.positives), byTypes(split.test.negatives)).auc).toBe(0.5);
    }
  });

  test("without types a model that knows nothing but types seems to have learnt", async () => {
    const split = await splitLinks(edges({ nodeTypes: null }), { sides: by(1), negatives: { perLink: 2, seed: 0 } });
    const joined = new Set(rows.map(([src, dst]) => `${codes[src]} ${codes[dst]}`));
    const byTypes = (pairs: NodePairs) =>
      Float32Array.from(listOf(pairs), ([src, dst]) => Number(joined.has(`${codes[src]} ${codes[dst]}`)));
    expect(pairFigures(byTypes(split.test.positives), byTypes(split.test.negatives)).auc).toBeGreaterThan(0.6);
  });

  test("no held-out link, nor its reverse relation, is in the messages", async () => {
    const split = await splitLinks(edges({ directed: true }), { sides: by(2), negatives: { perLink: 1, seed: 0 } });
    const [part] = split.graph.parts;
    const messages = new Set<string>();
    for (let dst = 0; dst < numNodes; dst++) {
      for (let e = Number(part!.indptr[dst]); e < Number(part!.indptr[dst + 1]); e++) {
        messages.add(`${part!.indices[e]} ${dst}`).add(`${dst} ${part!.indices[e]}`);
      }
    }
    const peek = (pairs: NodePairs) =>
      Float32Array.from(listOf(pairs), ([src, dst]) => Number(messages.has(`${src} ${dst}`)));
    expect(pairFigures(peek(split.test.positives), peek(split.test.negatives)).auc).toBe(0.5);
  });

  test("are refused with the types between which hardly any are left", async () => {
    const all = nodesOf(paper).flatMap((one) =>
      nodesOf(subject)
        .slice(0, 11)
        .map((other) => [one, other] as const),
    );
    const given = edges({ ...pairsOf([...rows, ...all]) });
    await expect(splitLinks(given, { sides: by(1), negatives: { perLink: 3, seed: 0 } })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      message: expect.stringMatching(/pairs of nodes of the types paper and subject have no link/),
    });
  });
});

const dim = 2;
const rowValues = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: numNodes * dim, maxLength: numNodes * dim });
const scoreOf = (values: readonly number[], a: number, b: number) =>
  values[a * dim]! * values[b * dim]! + values[a * dim + 1]! * values[b * dim + 1]!;

test("ranks are those of a table of the target's type alone, on any number of ranks", async () => {
  const known = await PairIndex.of(links, numNodes, false);
  await fc.assert(
    fc.asyncProperty(rowValues, fc.boolean(), async (values, filters) => {
      const nodes = { rows: Float32Array.from(values), dim };
      const ranking = { nodes, decoder: dotDecoder(), leftOut: filters ? known : null, groups, maxBytes: 500 };
      const found = await rankLinks(ranking, links);
      const expected = rows.map(([src, dst]) => {
        const others = nodesOf(codes[dst]!).filter(
          (node) => node !== dst && node !== src && !(filters && known.has(src, node)),
        );
        const own = scoreOf(values, src, dst);
        const [above, level] = [
          others.filter((node) => scoreOf(values, src, node) > own).length,
          others.filter((node) => scoreOf(values, src, node) === own).length,
        ];
        return 1 + above + level / 2;
      });
      expect([...found]).toEqual(expected);
      const ofTwo = await Promise.all(
        loopbackGroup(2).map((collective, rank) =>
          rankLinks({ ...ranking, rank: { rank, worldSize: 2, collective } }, links),
        ),
      );
      expect(ofTwo).toEqual([found, found]);
    }),
    { numRuns: 10 },
  );
});

test("constant scores give the mean rank among the nodes of the type", async () => {
  const nodes = { rows: new Float32Array(numNodes * dim), dim };
  const ranks = await rankLinks({ nodes, decoder: dotDecoder(), leftOut: null, groups }, links);
  // Source and target are of two types, so the source is no candidate to leave out.
  expect([...ranks]).toEqual(rows.map(([, dst]) => (nodesOf(codes[dst]!).length + 1) / 2));
});

test("new neighbours are the best of each type that a relation leads to, as a sorted table has them", async () => {
  const known = await PairIndex.of(links, numNodes, true);
  const relationOf = Int32Array.from(rows, ([src, dst]) => (codes[src] === paper ? codes[dst]! : 3 + codes[src]!));
  const reached = reachedTypes(links, groups, relationOf);
  expect(reached).toEqual([
    { source: author, target: paper, relations: [3] },
    { source: paper, target: author, relations: [0] },
    { source: paper, target: subject, relations: [2] },
    { source: subject, target: paper, relations: [5] },
  ]);
  await fc.assert(
    fc.asyncProperty(rowValues, fc.integer({ min: 1, max: 15 }), async (values, perType) => {
      const nodes = { rows: Float32Array.from(values), dim };
      const scoring = { nodes, decoder: dotDecoder(), known, maxBytes: 400 };
      const top = await topOfAll({ scoring, perType, typed: { groups, reached } }, () => {});
      expect(top.perNode).toBe(2 * perType);
      for (let node = 0; node < numNodes; node++) {
        const expected = reached
          .filter(({ source }) => source === codes[node])
          .flatMap(({ target }) => {
            const best = nodesOf(target)
              .filter((other) => !known.has(node, other))
              .toSorted((a, b) => scoreOf(values, node, b) - scoreOf(values, node, a) || a - b)
              .slice(0, perType);
            return [...best, ...Array.from({ length: perType - best.length }, () => -1)];
          });
        const padding = Array.from({ length: 2 * perType - expected.length }, () => -1);
        expect([...top.nodes.subarray(node * 2 * perType, (node + 1) * 2 * perType)]).toEqual([
          ...expected,
          ...padding,
        ]);
      }
    }),
    { numRuns: 10 },
  );
});
