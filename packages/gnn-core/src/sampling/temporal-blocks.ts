import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { always } from "../graph/edge-times.ts";
import { withReverse } from "../graph/reverse-edges.ts";
import { numBefore, type TimedEdges } from "../graph/timed-edges.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import { keyedHash } from "../random/keyed-order.ts";
import type { BatchKey, Sampler } from "./sampler.ts";
import { TimedRows } from "./timed-rows.ts";

export interface TemporalSamplerOptions {
  readonly edges: TimedEdges;
  /** One per hop, the first from the seeds; -1 = all in-edges from before */
  readonly fanouts: readonly number[];
  readonly pick: "uniform" | "recent";
  readonly seed: number;
}

const salt = 0x74696d65;

/**
 * Draws among the in-edges from strictly before a seed's time, at every hop by the time of the seed. Rows are nodes at
 * times (`TimedRows`), and their degrees count what was there at that time. Seeds that have always been there hear of
 * edges that have, too, but for those between `pairs`. Draws depend on (seed, epoch, step, hop, GlobalId, time) and
 * such pairs alone, so that any number of ranks draws the same. Picks stay in the order of time.
 *
 * @throws GnnError (from `sample`) SHAPE_MISMATCH for a seed outside the graph, or unless there is a time per seed
 */
export function createTemporalSampler(options: TemporalSamplerOptions): Sampler {
  const sampleAt: Sampler["sampleAt"] = async (seeds, times, pairs, key, signal) => {
    signal?.throwIfAborted();
    checkSeeds(seeds, times, options.edges);
    return blocksBefore(options, seeds, times, visibleEdges(options.edges, pairs), key);
  };
  return {
    // Without a time of its own a seed stands after all edges.
    sample: (seeds, key, signal) => sampleAt(seeds, new Float64Array(seeds.length).fill(Infinity), none, key, signal),
    sampleAt,
  };
}

const none: NodePairs = { src: new Int32Array(), dst: new Int32Array() };

/** Which entries of a node's column are there at a time: places among them, ascending; a number: so many first ones. */
type VisibleEdges = (node: number, time: number) => number | Int32Array;

/** @param pairs whose edges are not there at the time of what has always been there */
function visibleEdges(edges: TimedEdges, { src, dst }: NodePairs): VisibleEdges {
  const hidden = new Map<number, Set<number>>();
  const hide = (from: number, into: number) => {
    const sources = hidden.get(into);
    if (sources) sources.add(from);
    else hidden.set(into, new Set([from]));
  };
  for (const [pair, from] of src.entries()) {
    hide(from, dst[pair] as number);
    hide(dst[pair] as number, from);
  }
  return (node, time) => {
    const count = numBefore(edges, node, time);
    const sources = time === always ? hidden.get(node) : undefined;
    if (!sources) return count;
    const begin = edges.indptr[node] as number;
    return Int32Array.from({ length: count }, (_, place) => place).filter(
      (place) => !sources.has(edges.indices[begin + place] as number),
    );
  };
}

const numOf = (visible: number | Int32Array) => (typeof visible === "number" ? visible : visible.length);

function blocksBefore(
  options: TemporalSamplerOptions,
  seeds: Int32Array,
  times: Float64Array,
  visible: VisibleEdges,
  key: BatchKey,
): Block[] {
  const rows = new TimedRows(times);
  for (const [i, node] of seeds.entries()) rows.rowOf(node, times[i] as number);
  if (rows.length !== seeds.length) {
    throw new GnnError("SHAPE_MISMATCH", "A seed is there twice at one time; give each node at a time once.");
  }
  const hops = options.fanouts.map((fanout, hop) => hopBefore(options, rows, visible, fanout, { ...key, hop }));
  const srcIds = rows.nodes();
  const srcDegrees = Float32Array.from(srcIds, (node, row) => numOf(visible(node, rows.timeAt(row))));
  return hops.toReversed().map(({ numSrc, numDst, indptr, indices }) =>
    withReverse({
      device: "cpu",
      numSrc,
      numDst,
      indptr,
      indices,
      srcIds: srcIds.slice(0, numSrc),
      weights: null,
      srcDegrees: srcDegrees.slice(0, numSrc),
    }),
  );
}

type Hop = Pick<Block, "numSrc" | "numDst" | "indptr" | "indices">;

/** Edges into all rows so far; the sources that they bring become rows at the time of who hears them. */
function hopBefore(
  { edges, pick, seed }: TemporalSamplerOptions,
  rows: TimedRows,
  visible: VisibleEdges,
  fanout: number,
  { epoch, step, hop }: BatchKey & { readonly hop: number },
): Hop {
  const numDst = rows.length;
  const indptr = new Int32Array(numDst + 1);
  const indices: number[] = [];
  for (let row = 0; row < numDst; row++) {
    const [node, time] = [rows.nodeAt(row), rows.timeAt(row)];
    const begin = edges.indptr[node] as number;
    const there = visible(node, time);
    const draw = (among: number, nth: number) => keyedHash(salt, seed, epoch, step, hop, node, time, nth) % among;
    for (const nth of placesOf(numOf(there), fanout, pick === "recent" ? null : draw)) {
      const place = typeof there === "number" ? nth : (there[nth] as number);
      indices.push(rows.rowOf(edges.indices[begin + place] as number, time));
    }
    indptr[row + 1] = indices.length;
  }
  return { numSrc: rows.length, numDst, indptr, indices: Int32Array.from(indices) };
}

/**
 * Distinct places among the first `count`, ascending: all, the last ones, or drawn alike (Floyd's algorithm).
 *
 * @param draw null: the last ones
 */
function placesOf(
  count: number,
  fanout: number,
  draw: ((among: number, nth: number) => number) | null,
): Iterable<number> {
  const isAll = fanout < 0 || fanout >= count;
  if (isAll || !draw) {
    const first = isAll ? 0 : count - fanout;
    return Array.from({ length: count - first }, (_, i) => first + i);
  }
  const drawn = new Set<number>();
  for (let last = count - fanout; last < count; last++) {
    const place = draw(last + 1, last);
    drawn.add(drawn.has(place) ? last : place);
  }
  return [...drawn].toSorted((a, b) => a - b);
}

function checkSeeds(seeds: Int32Array, times: Float64Array, { indptr }: TimedEdges): void {
  if (times.length !== seeds.length) {
    throw new GnnError("SHAPE_MISMATCH", `${times.length} times for ${seeds.length} seeds; give one per seed.`);
  }
  const numNodes = indptr.length - 1;
  const outside = seeds.find((node) => !(node >= 0 && node < numNodes));
  if (outside === undefined) return;
  throw new GnnError("SHAPE_MISMATCH", `Seed ${outside} is outside the graph, whose nodes are 0 to ${numNodes - 1}.`);
}
