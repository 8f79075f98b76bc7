import { GnnError } from "../errors/gnn-error.ts";
import type { KnownPairs } from "../links/known-pairs.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import { cscFromCoo } from "./csc-from-coo.ts";
import { numCodesOf, turnedRelation } from "./turned-relation.ts";

/**
 * Which nodes each relation links: the targets of every (source, relation), ascending, each once. A link of a directed
 * graph counts in both directions, turned around with the relation `turnedRelation`; of an undirected one its rows
 * stand in both. 20 bytes per (source, relation) that there is, and 4 per target.
 */
export class TripleIndex implements KnownPairs {
  readonly numNodes: number;
  /** Relations that may be asked for */
  readonly #numCodes: number;
  /** source · #numCodes + relation, ascending */
  readonly #queries: Float64Array;
  readonly #offsets: Float64Array;
  readonly #targets: Int32Array;

  private constructor(numNodes: number, numCodes: number, queries: Float64Array, sorted: SortedTargets) {
    this.numNodes = numNodes;
    this.#numCodes = numCodes;
    this.#queries = queries;
    this.#offsets = Float64Array.from(sorted.indptr.subarray(0, queries.length + 1), Number);
    this.#targets = sorted.indices;
  }

  get numEntries(): number {
    return this.#targets.length;
  }

  /**
   * @param pairs with a relation each, which a link has in the graph: below `numRelations`
   * @param graph `numRelations`: relations of the graph
   * @throws GnnError SHAPE_MISMATCH unless every pair has a relation, DATASET_NODE_UNKNOWN on an id outside the graph
   */
  static async of(pairs: NodePairs, { numNodes, numRelations, directed }: RelatedNodes): Promise<TripleIndex> {
    const { src, dst, relations } = pairs;
    if (relations?.length !== src.length) {
      const found = `${src.length} pairs have ${relations?.length ?? 0} relations`;
      throw new GnnError("SHAPE_MISMATCH", `${found}; expected one each.`);
    }
    const numCodes = numCodesOf({ numRelations, directed });
    const keysOf = (sources: Int32Array, codeOf: (relation: number) => number) =>
      Float64Array.from(sources, (source, i) => source * numCodes + codeOf(relations[i] as number));
    const turned = (relation: number) => turnedRelation(relation, numRelations);
    const keys = [keysOf(src, (relation) => relation), ...(directed ? [keysOf(dst, turned)] : [])];
    const queries = distinct(keys);
    const columns = keys.map((some) => Int32Array.from(some, (key) => firstNotBelow(queries, key)));
    const targets = joined(directed ? [dst, src] : [dst]);
    const size = Math.max(numNodes, queries.length);
    const sorted = await cscFromCoo(targets, joined(columns), size, { duplicates: "drop" });
    return new TripleIndex(numNodes, numCodes, queries, sorted);
  }

  targetsOf(src: number, relation = 0): Int32Array {
    const key = src * this.#numCodes + relation;
    const query = firstNotBelow(this.#queries, key);
    if (this.#queries[query] !== key) return none;
    return this.#targets.subarray(this.#offsets[query], this.#offsets[query + 1]);
  }

  degreesIn(): Int32Array {
    const degrees = new Int32Array(this.numNodes);
    for (const dst of this.#targets) degrees[dst]! += 1;
    return degrees;
  }

  has(src: number, dst: number, relation = 0): boolean {
    const targets = this.targetsOf(src, relation);
    return targets[firstNotBelow(targets, dst)] === dst;
  }
}

interface RelatedNodes {
  readonly numNodes: number;
  readonly numRelations: number;
  readonly directed: boolean;
}

type SortedTargets = Awaited<ReturnType<typeof cscFromCoo>>;

const none = new Int32Array();

function distinct(some: readonly Float64Array[]): Float64Array {
  const keys = new Float64Array(some.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of some) {
    keys.set(part, at);
    at += part.length;
  }
  return keys.toSorted().filter((key, at, sorted) => at === 0 || key !== sorted[at - 1]);
}

function joined(some: readonly Int32Array[]): Int32Array {
  const whole = new Int32Array(some.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of some) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Place of the first entry that is not below a value, of ascending ones; their number where all are. */
function firstNotBelow(sorted: Float64Array | Int32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
