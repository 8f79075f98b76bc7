import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { slice, type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { TripleIndex } from "../../src/graph/triple-index.ts";
import { turnedRelation } from "../../src/graph/turned-relation.ts";
import { complExDecoder } from "../../src/links/decoders/compl-ex.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import type { DecoderShape, LinkDecoder } from "../../src/links/decoders/link-decoder.ts";
import { rotatEDecoder } from "../../src/links/decoders/rotat-e.ts";
import { transEDecoder } from "../../src/links/decoders/trans-e.ts";
import { filteredFigures } from "../../src/links/filtered-figures.ts";
import { linkBatches } from "../../src/links/link-batches.ts";
import { uniformTail } from "../../src/links/negatives/uniform-tail.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { type LinkEdges, splitLinks } from "../../src/links/split-links.ts";
import { topNewLinks } from "../../src/links/top-new-links.ts";
import { randomFloats, seededRandom } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const numNodes = 12;
const numRelations = 3;
const dim = 4;

type Triple = readonly [src: number, relation: number, dst: number];
const node = fc.nat(numNodes - 1);
const someTriples = fc.array(fc.tuple(node, fc.nat(numRelations - 1), node), { minLength: 1, maxLength: 30 });

function pairsOf(triples: readonly Triple[]): Required<NodePairs> {
  return {
    src: Int32Array.from(triples, ([src]) => src),
    dst: Int32Array.from(triples, ([, , dst]) => dst),
    relations: Int32Array.from(triples, ([, relation]) => relation),
  };
}

const textsOf = ({ src, dst, relations }: NodePairs) =>
  Array.from(src, (from, i) => `${from} ${relations?.[i]} ${dst[i]}`);

/** Distinct triples without loops, of a seed */
function madeUpTriples(count: number, seed = 5): Triple[] {
  const random = seededRandom(seed);
  const below = (size: number) => Math.floor(random() * size);
  const found = new Map<string, Triple>();
  while (found.size < count) {
    const triple = [below(numNodes), below(numRelations), below(numNodes)] as const;
    if (triple[0] !== triple[2]) found.set(triple.join(" "), triple);
  }
  return [...found.values()];
}

describe("decoders", () => {
  const decoders: Record<string, (shape: DecoderShape) => LinkDecoder> = {
    distMult: distMultDecoder,
    complEx: complExDecoder,
    transE: (shape) => transEDecoder({ ...shape, norm: 2, margin: 3 }),
    rotatE: (shape) => rotatEDecoder({ ...shape, margin: 3 }),
  };
  const relations = Int32Array.of(2, 0, 2, 1, 0);
  const rows = (seed: number, count: number) => tensor2d(randomFloats(count * dim, seed), [count, dim]);

  test.each(Object.entries(decoders))("%s scores each pair by the weights of its own relation", (_name, make) => {
    const all = make({ dim, seed: 3, numRelations });
    const weights = all.variables[0]!.variable as unknown as Tensor2D;
    const width = weights.shape[1];
    const [src, dst] = [rows(1, relations.length), rows(2, relations.length)];
    const found = tidy(() => all.score(src, dst, relations).dataSync<"float32">().slice());
    const table = tidy(() => all.scoreAll(src, dst, relations).dataSync<"float32">().slice());
    for (const [i, relation] of relations.entries()) {
      const one = make({ dim, seed: 3 });
      one.variables[0]!.variable.assign(tidy(() => slice(weights, [relation, 0], [1, width])));
      const expected = tidy(() => one.score(src, dst).dataSync<"float32">().slice());
      expect(found[i]).toBeCloseTo(expected[i]!, 5);
      expect(table[i * relations.length + i]).toBeCloseTo(expected[i]!, 4);
    }
  });

  test.each(Object.entries(decoders))("%s starts relation 0 alike, however many there are", (_name, make) => {
    const [one, many] = [make({ dim, seed: 3 }), make({ dim, seed: 3, numRelations })];
    const first = one.variables[0]!.variable.dataSync();
    expect(many.variables[0]!.variable.dataSync().slice(0, first.length)).toEqual(first);
  });
});

test("an index of triples has the targets of each source and relation, in both directions of a directed graph", async () => {
  await fc.assert(
    fc.asyncProperty(someTriples, fc.boolean(), async (triples, directed) => {
      const index = await TripleIndex.of(pairsOf(triples), { numNodes, numRelations, directed });
      const turned = triples.map(([src, relation, dst]) => [dst, turnedRelation(relation, numRelations), src] as const);
      const all = directed ? [...triples, ...turned] : triples;
      for (let src = 0; src < numNodes; src++) {
        for (let relation = 0; relation < numRelations * (directed ? 2 : 1); relation++) {
          const targets = new Set(all.filter(([s, r]) => s === src && r === relation).map(([, , dst]) => dst));
          expect([...index.targetsOf(src, relation)]).toEqual([...targets].toSorted((a, b) => a - b));
          for (let dst = 0; dst < numNodes; dst++) expect(index.has(src, dst, relation)).toBe(targets.has(dst));
        }
      }
    }),
    { numRuns: 20 },
  );
});

describe("a split of links with relations", () => {
  const triples = [...madeUpTriples(60), [0, 0, 1], [0, 1, 1], [1, 0, 0]] as const;
  const edges: LinkEdges = { ...pairsOf(triples), numNodes, numRelations, directed: true };
  const negatives = { perLink: 2, seed: 0 };

  test("at random keeps all that joins two nodes on one side, whatever the relation and the direction", async () => {
    const split = await splitLinks(
      { ...edges, numNodes: 40 },
      { sides: { type: "random", val: 0.2, test: 0.2, seed: 1 }, negatives },
    );
    const ends = ({ src, dst }: NodePairs) =>
      new Set(Array.from(src, (from, i) => [from, dst[i]!].toSorted((a, b) => a - b).join(" ")));
    const sides = [split.train, split.val.positives, split.test.positives].map(ends);
    expect(sides.reduce((sum, { size }) => sum + size, 0)).toBe(ends(edges).size);
    const found = [split.train, split.val.positives, split.test.positives].flatMap(textsOf);
    expect(found.toSorted()).toEqual([...new Set(textsOf(edges))].toSorted());
  });

  test("by a column takes each triple as the column says", async () => {
    const side = triples.map((_, row) => 1 + (row % 3));
    const split = await splitLinks({ ...edges, numNodes: 40 }, { sides: { type: "column", split: side }, negatives });
    const asked = (code: number) => new Set(textsOf(edges).filter((_, row) => side[row] === code));
    expect(new Set(textsOf(split.test.positives))).toEqual(asked(3));
    expect(split.test.positives.src.length).toBeGreaterThan(10);
    // Rows that repeat a triple go to the side that is held out most.
    const heldOut = new Set([...asked(2), ...asked(3)]);
    expect(new Set(textsOf(split.train))).toEqual(new Set([...asked(1)].filter((one) => !heldOut.has(one))));
  });

  test("has for each held-out link pairs of its own relation", async () => {
    const side = { type: "random", val: 0.2, test: 0.2, seed: 1 } as const;
    const { test: held, seen } = await splitLinks({ ...edges, numNodes: 40 }, { sides: side, negatives });
    const expected = [...held.positives.relations!].flatMap((relation) => [relation, relation]);
    expect([...held.negatives.relations!]).toEqual(expected);
    expect(seen.has(held.positives.src[0]!, held.positives.dst[0]!, held.positives.relations![0])).toBe(false);
  });
});

test("links of an epoch are turned with their relations, and negatives are none in that relation", async () => {
  const triples = madeUpTriples(40);
  const seen = await TripleIndex.of(pairsOf(triples), { numNodes, numRelations, directed: true });
  const negatives = uniformTail({ perLink: 3, seed: 1, seen });
  const options = { train: pairsOf(triples), directed: true, numRelations, negatives, seed: 0, batchSize: 16 };
  const known = new Set(triples.map(([src, relation, dst]) => `${src} ${relation} ${dst}`));
  const straight = ([src, relation, dst]: readonly number[]) =>
    relation! < numRelations ? [src, relation, dst] : [dst, turnedRelation(relation!, numRelations), src];
  const wayOf = new Map<string, Set<boolean>>();
  for (let epoch = 0; epoch < 6; epoch++) {
    for (const { pairs, numLinks } of linkBatches({ ...options, epoch, rank: 0, worldSize: 1 })) {
      for (const [i, text] of textsOf(pairs).entries()) {
        const triple = text.split(" ").map(Number);
        const name = straight(triple).join(" ");
        if (i < numLinks) wayOf.set(name, (wayOf.get(name) ?? new Set()).add(triple[1]! < numRelations));
        expect(known.has(name)).toBe(i < numLinks);
        const link = i < numLinks ? i : Math.floor((i - numLinks) / 3);
        expect(pairs.relations![i]).toBe(pairs.relations![link]);
      }
    }
  }
  expect(wayOf.size).toBe(triples.length);
  expect([...wayOf.values()].filter(({ size }) => size === 2).length).toBeGreaterThan(30);
});

/** DistMult in double precision over small whole numbers, so that ties are ties. */
function wholeNumbers(numCodes: number) {
  const random = seededRandom(3);
  const whole = (count: number) => Float32Array.from({ length: count }, () => Math.floor(random() * 5) - 2);
  const decoder = distMultDecoder({ dim, seed: 0, numRelations: numCodes });
  const weights = whole(numCodes * dim);
  decoder.variables[0]!.variable.assign(tensor2d(weights, [numCodes, dim]));
  const rows = whole(numNodes * dim);
  const score = (src: number, relation: number, dst: number) => {
    let sum = 0;
    for (let k = 0; k < dim; k++) sum += rows[src * dim + k]! * weights[relation * dim + k]! * rows[dst * dim + k]!;
    return sum;
  };
  return { decoder, nodes: { rows, dim }, score };
}

test("filtered figures are those of a table of all triples, of both ends, on any number of ranks", async () => {
  const triples = madeUpTriples(50);
  const known = await TripleIndex.of(pairsOf(triples), { numNodes, numRelations, directed: true });
  const { decoder, nodes, score } = wholeNumbers(2 * numRelations);
  const heldOut = triples.slice(0, 12);
  const isKnown = (src: number, relation: number, dst: number) =>
    triples.some(([s, r, d]) => s === src && r === relation && d === dst);
  const rankOf = (own: number, candidates: readonly number[]) =>
    1 + candidates.filter((other) => other > own).length + candidates.filter((other) => other === own).length / 2;
  const all = Array.from({ length: numNodes }, (_, id) => id);
  const ranks = heldOut.flatMap(([src, relation, dst]) => {
    const turned = turnedRelation(relation, numRelations);
    const tails = all.filter((id) => id !== dst && id !== src && !isKnown(src, relation, id));
    const heads = all.filter((id) => id !== src && id !== dst && !isKnown(id, relation, dst));
    return [
      rankOf(
        score(src, relation, dst),
        tails.map((id) => score(src, relation, id)),
      ),
      rankOf(
        score(dst, turned, src),
        heads.map((id) => score(dst, turned, id)),
      ),
    ];
  });
  const mean = (value: (rank: number) => number) => ranks.reduce((sum, rank) => sum + value(rank), 0) / ranks.length;
  const split = { known, groups: null, directed: true, numRelations };
  for (const worldSize of [1, 2]) {
    const found = await Promise.all(
      loopbackGroup(worldSize).map((collective, rank) =>
        filteredFigures({ nodes, decoder, rank: { rank, worldSize, collective } }, split, pairsOf(heldOut)),
      ),
    );
    for (const figures of found) {
      expect(figures["filteredMrr"]).toBeCloseTo(
        mean((rank) => 1 / rank),
        6,
      );
      for (const k of [1, 3, 10])
        expect(figures[`filteredHits@${k}`]).toBeCloseTo(
          mean((rank) => Number(rank <= k)),
          6,
        );
    }
  }
});

test("a new neighbour counts by the relation in which it scores best", async () => {
  const { decoder, nodes, score } = wholeNumbers(numRelations);
  const known = await PairIndex.of(pairsOf(madeUpTriples(20)), numNodes, true);
  const relations = Int32Array.of(0, 2);
  const sources = Int32Array.of(3, 0, 7);
  const k = 5;
  for (const maxBytes of [1, 2 ** 20]) {
    const found = topNewLinks({ nodes, decoder, known, relations, maxBytes }, sources, k);
    for (const [i, src] of sources.entries()) {
      const best = (dst: number) => Math.max(...Array.from(relations, (relation) => score(src, relation, dst)));
      const expected = Array.from({ length: numNodes }, (_, id) => id)
        .filter((id) => id !== src && !known.has(src, id))
        .toSorted((a, b) => best(b) - best(a) || a - b)
        .slice(0, k);
      expect([...found.nodes.subarray(i * k, (i + 1) * k)]).toEqual(expected);
      const which = [...found.which!.subarray(i * k, (i + 1) * k)];
      expect(which.map((at, place) => score(src, relations[at]!, expected[place]!))).toEqual(expected.map(best));
    }
  }
});

describe("kept pairs beside links of a graph in which some relation joins every two nodes", () => {
  const all = Array.from({ length: numNodes ** 2 }, (_, i): Triple => {
    const [src, dst] = [Math.floor(i / numNodes), i % numNodes];
    return [src, (src + dst * 2) % numRelations, dst];
  }).filter(([src, , dst]) => src !== dst);
  const sides = { type: "random", val: 0.1, test: 0.2, seed: 4 } as const;

  test("have no link of the relation of theirs, which others than it may join, and are distinct", async () => {
    const edges = { ...pairsOf(all), numNodes, directed: true };
    const split = await splitLinks(edges, { sides, negatives: { perLink: 2, seed: 3 } });
    const known = new Set(textsOf(edges));
    const drawn = [split.val, split.test].flatMap(({ positives, negatives }) => {
      const relations = Array.from(positives.relations!).flatMap((relation) => [relation, relation]);
      expect([...negatives.relations!]).toEqual(relations);
      expect(negatives.src.some((src, row) => src === negatives.dst[row])).toBe(false);
      return textsOf(negatives);
    });
    expect(drawn.length).toBeGreaterThan(60);
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn.filter((text) => known.has(text))).toEqual([]);
  });

  test("are refused where that relation joins nearly every two nodes itself, or links are told apart by none", async () => {
    const alike = all.map(([src, , dst]): Triple => [src, 0, dst]);
    const negatives = { perLink: 1, seed: 3 };
    for (const edges of [pairsOf(alike), { src: pairsOf(all).src, dst: pairsOf(all).dst }]) {
      await expect(splitLinks({ ...edges, numNodes, directed: true }, { sides, negatives })).rejects.toThrow(
        /negatives are asked for, and 0 pairs of nodes have no link; expected twice as many/,
      );
    }
  });
});
