import { describe, expect, test } from "vitest";
import { PairIndex } from "../../src/graph/pair-index.ts";
import { TripleIndex } from "../../src/graph/triple-index.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import { queryBatches } from "../../src/links/query-batches.ts";
import { type TrainingQueries, trainingQueries } from "../../src/links/training-queries.ts";
import { seededRandom } from "../support/seeded-random.ts";

const [numNodes, numRelations] = [14, 3];
const codes = Int32Array.from({ length: numNodes }, (_, node) => node % 2);
const groups = NodeGroups.of({ codes, names: ["even", "odd"] })!;

function madeUpLinks(count: number) {
  const random = seededRandom(9);
  const below = (size: number) => Math.floor(random() * size);
  const rows = new Map<string, readonly [number, number, number]>();
  while (rows.size < count) {
    const row = [below(numNodes), below(numRelations), below(numNodes)] as const;
    if (row[0] !== row[2]) rows.set(row.join(" "), row);
  }
  const links = [...rows.values()];
  return {
    src: Int32Array.from(links, ([src]) => src),
    relations: Int32Array.from(links, ([, relation]) => relation),
    dst: Int32Array.from(links, ([, , dst]) => dst),
  };
}

const links = madeUpLinks(60);

/** "source relation type of targets" → targets, by a table of all links. */
function expected(directed: boolean, tellsRelations: boolean, isTyped: boolean): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  const add = (from: number, relation: number, to: number) => {
    const key = `${from} ${tellsRelations ? relation : 0} ${isTyped ? codes[to] : 0}`;
    found.set(key, (found.get(key) ?? new Set()).add(to));
  };
  for (const [i, from] of links.src.entries()) {
    const [to, relation] = [links.dst[i]!, links.relations[i]!];
    add(from, relation, to);
    if (tellsRelations && directed) add(to, relation + numRelations, from);
    if (!tellsRelations && !directed) add(to, 0, from);
  }
  return found;
}

async function queriesOf(directed: boolean, tellsRelations: boolean, isTyped: boolean): Promise<TrainingQueries> {
  const { src, dst, relations } = links;
  return trainingQueries({
    train: { src, dst, ...(tellsRelations && { relations }) },
    seen: tellsRelations
      ? await TripleIndex.of(links, { numNodes, numRelations, directed })
      : await PairIndex.of(links, numNodes, directed),
    groups: isTyped ? groups : null,
    directed,
    numRelations: tellsRelations ? numRelations : null,
  });
}

function listed(queries: Pick<TrainingQueries, "pairs" | "starts" | "targets">): [string, number[]][] {
  const { pairs, starts, targets } = queries;
  return Array.from(pairs.src, (src, i) => {
    const own = [...targets.subarray(starts[i], starts[i + 1])];
    expect(own[0]).toBe(pairs.dst[i]);
    return [`${src} ${pairs.relations?.[i] ?? 0}`, own];
  });
}

const textsOf = (lists: [string, number[]][]) => lists.map(([key, own]) => `${key}: ${own.join(" ")}`).toSorted();

describe.each([
  ["directed triples", true, true, false],
  ["directed pairs", true, false, false],
  ["undirected pairs", false, false, false],
  ["directed triples between types", true, true, true],
  ["undirected pairs between types", false, false, true],
] as const)("%s", (_name, directed, tellsRelations, isTyped) => {
  test("every source and relation is asked once, for all of its targets of a type", async () => {
    const wanted = [...expected(directed, tellsRelations, isTyped)].map(
      ([key, own]) => `${key.split(" ").slice(0, 2).join(" ")}: ${[...own].toSorted((a, b) => a - b).join(" ")}`,
    );
    const found = listed(await queriesOf(directed, tellsRelations, isTyped));
    expect(textsOf(found)).toEqual(wanted.toSorted());
  });

  test("ranks share the queries of a step, whose links carry no message on any of them", async () => {
    const queries = await queriesOf(directed, tellsRelations, isTyped);
    const on = (rank: number, worldSize: number) => [
      ...queryBatches({ queries, seed: 1, epoch: 2, batchSize: 7, rank, worldSize }),
    ];
    const alone = on(0, 1);
    expect(textsOf(alone.flatMap((batch) => listed(batch)))).toEqual(textsOf(listed(queries)));
    for (const [step, batch] of alone.entries()) {
      const shared = [on(0, 2)[step]!, on(1, 2)[step]!];
      expect(shared.flatMap((share) => listed(share))).toEqual(listed(batch));
      const hidden = listed(batch).flatMap(([key, own]) => own.map((target) => `${key.split(" ")[0]} ${target}`));
      for (const { without } of shared) {
        expect(Array.from(without.src, (src, i) => `${src} ${without.dst[i]}`)).toEqual(hidden);
      }
    }
  });
});
