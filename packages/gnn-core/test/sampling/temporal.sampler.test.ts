import { describe, expect, test } from "vitest";
import type { Block } from "../../src/graph/block.ts";
import { always } from "../../src/graph/edge-times.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { timedEdges } from "../../src/graph/timed-edges.ts";
import type { NodePairs } from "../../src/links/node-pairs.ts";
import { temporalSampler } from "../../src/sampling/temporal.sampler.ts";
import { createTemporalSampler, type TemporalSamplerOptions } from "../../src/sampling/temporal-blocks.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { seededRandom } from "../support/seeded-random.ts";

const numNodes = 40;
const random = seededRandom(11);
const drawn = (below: number) => Int32Array.from({ length: 600 }, () => Math.floor(random() * below));
// Few distinct times, so that many edges are as old as a seed, and pairs are there several times.
const rows = { src: drawn(numNodes), dst: drawn(numNodes), times: drawn(25) };
const edges = timedEdges({ ...rows, numNodes, directed: true });
const seeds = Int32Array.of(3, 3, 17, 29, 8);
const times = Float64Array.of(4, 20, 0, 13, 25);
const key = { epoch: 2, step: 5 };

interface At {
  readonly seeds: Int32Array;
  readonly times: Float64Array;
  readonly pairs?: NodePairs;
}

const sampleAt = (options: Partial<TemporalSamplerOptions> = {}, at: At = { seeds, times }) =>
  createTemporalSampler({ edges, fanouts: [4, 3], pick: "uniform", seed: 9, ...options }).sampleAt!(
    at.seeds,
    at.times,
    at.pairs ?? { src: new Int32Array(), dst: new Int32Array() },
    key,
  );

/** Who a node heard before a time, by a look through all rows: each source once, with its first time. */
function heardBefore(node: number, time: number): Map<number, number> {
  const first = new Map<number, number>();
  for (const [i, dst] of rows.dst.entries()) {
    if (dst !== node || rows.times[i]! >= time) continue;
    const [source, at] = [rows.src[i]!, rows.times[i]!];
    first.set(source, Math.min(first.get(source) ?? at, at));
  }
  return first;
}

function sourcesOf({ indptr, indices, srcIds }: Block, dst: number): number[] {
  return Array.from(indices.subarray(indptr[dst], indptr[dst + 1]), (row) => srcIds[row]!);
}

/** The time of every row, handed on from the seeds along the edges of the blocks. */
function timesOfRows(blocks: readonly Block[], seedTimes: Float64Array): number[] {
  const known = [...seedTimes];
  for (const { numDst, indptr, indices } of blocks.toReversed()) {
    for (let dst = 0; dst < numDst; dst++) {
      for (const row of indices.subarray(indptr[dst], indptr[dst + 1])) {
        known[row] ??= known[dst]!;
        expect(known[row]).toBe(known[dst]!);
      }
    }
  }
  return known;
}

test("all in-neighbours are those from strictly before the seed's time, at every hop, and degrees count no others", async () => {
  const blocks = await sampleAt({ fanouts: [-1, -1] });
  const timeOf = timesOfRows(blocks, times);
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    for (let dst = 0; dst < block.numDst; dst++) {
      const heard = heardBefore(block.srcIds[dst]!, timeOf[dst]!);
      const ascending = (a: number, b: number) => a - b;
      expect(sourcesOf(block, dst).toSorted(ascending)).toEqual([...heard.keys()].toSorted(ascending));
    }
    expect([...block.srcDegrees!]).toEqual(
      Array.from(block.srcIds, (node, row) => heardBefore(node, timeOf[row]!).size),
    );
  }
  expect([...blocks[1]!.srcIds.subarray(0, blocks[1]!.numDst)]).toEqual([...seeds]);
  expect(blocks[0]!.srcIds.subarray(0, blocks[0]!.numDst)).toEqual(blocks[1]!.srcIds);
});

test("draws are distinct in-neighbours from before, as many as the fanout, each alike in the long run", async () => {
  const { fanouts } = { fanouts: [4, 3] };
  const blocks = await sampleAt();
  const timeOf = timesOfRows(blocks, times);
  for (const [i, block] of blocks.entries()) {
    for (let dst = 0; dst < block.numDst; dst++) {
      const heard = heardBefore(block.srcIds[dst]!, timeOf[dst]!);
      const found = sourcesOf(block, dst);
      expect(new Set(found).size).toBe(Math.min(fanouts[1 - i]!, heard.size));
      for (const source of found) expect(heard.has(source)).toBe(true);
    }
  }
  const counts = new Map<number, number>();
  const numDraws = 3_000;
  for (let seed = 0; seed < numDraws; seed++) {
    const [block] = await sampleAt({ fanouts: [2], seed }, { seeds: Int32Array.of(3), times: Float64Array.of(20) });
    for (const source of sourcesOf(block!, 0)) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  const heard = heardBefore(3, 20);
  const share = 2 / heard.size;
  const spread = Math.sqrt(numDraws * share * (1 - share));
  for (const source of heard.keys()) {
    expect(Math.abs((counts.get(source) ?? 0) - numDraws * share)).toBeLessThan(5 * spread);
  }
});

test("the most recent are those whose first edge is the youngest", async () => {
  const [block] = await sampleAt({ fanouts: [3], pick: "recent" });
  for (const dst of seeds.keys()) {
    const heard = heardBefore(seeds[dst]!, times[dst]!);
    const ages = [...heard.values()].toSorted((a, b) => b - a).slice(0, 3);
    const found = sourcesOf(block!, dst).map((source) => heard.get(source)!);
    expect(found.toSorted((a, b) => b - a)).toEqual(ages);
  }
});

test("a seed's draws are the same whatever seeds are beside it", async () => {
  const [outer, inner] = await sampleAt();
  for (const dst of seeds.keys()) {
    const alone = await sampleAt({}, { seeds: seeds.slice(dst, dst + 1), times: times.slice(dst, dst + 1) });
    expect(sourcesOf(alone[1]!, 0)).toEqual(sourcesOf(inner!, dst));
    expect(sourcesOf(alone[0]!, 0)).toEqual(sourcesOf(outer!, dst));
  }
});

describe("beside edges of which some have always been there", () => {
  // A quarter of the rows are of a relation without times.
  const agesOf = Float64Array.from(rows.times, (time, i) => (i % 4 === 0 ? always : time));
  const mixed = timedEdges({ ...rows, times: agesOf, numNodes, directed: true });
  const untimed = (node: number) =>
    new Set(Array.from(rows.src).filter((_, i) => rows.dst[i] === node && agesOf[i] === always));
  const at = { seeds: Int32Array.of(3, 17, 29), times: new Float64Array(3).fill(always) };

  test("a seed that has always been there hears of those alone, at every hop, and of nothing that has a time", async () => {
    const blocks = await sampleAt({ edges: mixed, fanouts: [-1, -1] }, at);
    for (const block of blocks) {
      for (let dst = 0; dst < block.numDst; dst++) {
        const heard = sourcesOf(block, dst);
        expect(new Set(heard)).toEqual(untimed(block.srcIds[dst]!));
      }
      expect([...block.srcDegrees!]).toEqual(Array.from(block.srcIds, (node) => untimed(node).size));
    }
    expect(sourcesOf(blocks[1]!, 0).length).toBeGreaterThan(0);
  });

  test("a seed of a time hears of them beside those from before it", async () => {
    const [block] = await sampleAt({ edges: mixed, fanouts: [-1] }, { ...at, times: Float64Array.of(0, 7, 12) });
    for (const [dst, time] of [0, 7, 12].entries()) {
      const node = at.seeds[dst]!;
      const before = Array.from(rows.src).filter((_, i) => rows.dst[i] === node && agesOf[i]! < time);
      expect(new Set(sourcesOf(block!, dst))).toEqual(new Set(before));
      for (const source of untimed(node)) expect(before).toContain(source);
    }
  });

  test("links of the step are not there for seeds of their kind, in neither direction, and for later ones they are", async () => {
    const [source] = untimed(3);
    const pairs = { src: Int32Array.of(3), dst: Int32Array.of(source!) };
    const both = { seeds: Int32Array.of(3, 3, source!), times: Float64Array.of(always, 5, always), pairs };
    const blocks = await sampleAt({ edges: mixed, fanouts: [-1, -1] }, both);
    const timeOf = timesOfRows(blocks, both.times);
    for (const block of blocks) {
      for (let dst = 0; dst < block.numDst; dst++) {
        const [node, heard] = [block.srcIds[dst]!, new Set(sourcesOf(block, dst))];
        if (node !== 3 && node !== source) continue;
        const other = node === 3 ? source! : 3;
        if (timeOf[dst] === always) expect(heard.has(other)).toBe(false);
        else if (node === 3) expect(heard.has(other)).toBe(true);
        expect(block.srcDegrees![dst]).toBe(heard.size);
      }
    }
  });

  test("draws among them are distinct, as many as the fanout, and never a link of the step", async () => {
    const pairs = { src: Int32Array.of(3), dst: Int32Array.from(untimed(3)).subarray(0, 1) };
    const left = untimed(3);
    left.delete(pairs.dst[0]!);
    for (const pick of ["uniform", "recent"] as const) {
      const [block] = await sampleAt({ edges: mixed, fanouts: [2], pick }, { ...at, pairs });
      const heard = sourcesOf(block!, 0);
      expect(new Set(heard).size).toBe(Math.min(2, left.size));
      for (const each of heard) expect(left.has(each)).toBe(true);
    }
  });
});

test("an undirected edge is heard of at both ends, and one that is repeated is as old as its first row", () => {
  const found = timedEdges({
    src: Int32Array.of(1, 0, 2),
    dst: Int32Array.of(0, 1, 0),
    times: [7, 5, 6],
    numNodes: 3,
    directed: false,
  });
  expect(found).toEqual({
    indptr: Int32Array.of(0, 2, 3, 4),
    indices: Int32Array.of(1, 2, 0, 0),
    times: Float64Array.of(5, 6, 5, 6),
  });
});

test("what it cannot draw is refused", async () => {
  const { src, dst } = rows;
  const graph = await graphFromEdges({ src, dst, numNodes });
  const weighted = await graphFromEdges({ src, dst, numNodes, weights: new Float32Array(src.length).fill(1) });
  const options = temporalSampler.options.parse({ fanouts: [2, 2] });
  const create = async (context: object) =>
    temporalSampler.create(options, { graph, numHops: 2, seed: 0, times: edges, ...context });
  const place = { code: "SPEC_INVALID", place: { pointer: "/sampling/type" } };
  await expect(create({})).resolves.toBeDefined();
  await expect(create({ times: null })).rejects.toMatchObject(place);
  await expect(create({ graph: weighted })).rejects.toMatchObject(place);
  await expect(create({ numHops: 3 })).rejects.toMatchObject({ place: { pointer: "/sampling/options/fanouts" } });
  const refused = { code: "SHAPE_MISMATCH" };
  const at = Float64Array.of(1, 1);
  await expect(sampleAt({}, { seeds: Int32Array.of(1, 1), times: at })).rejects.toMatchObject(refused);
  await expect(sampleAt({}, { seeds: Int32Array.of(1), times: at })).rejects.toMatchObject(refused);
  await expect(sampleAt({}, { seeds: Int32Array.of(1, numNodes), times: at })).rejects.toMatchObject(refused);
});

test("the catalogue has it", async () => {
  expect((await loadRegistry()).get("sampler", "temporal").needsTimes).toBe(true);
});
