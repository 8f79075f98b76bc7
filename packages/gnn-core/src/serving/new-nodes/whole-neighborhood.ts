import { GnnError } from "../../errors/gnn-error.ts";
import type { Block } from "../../graph/block.ts";
import { edgelessBlock } from "../../graph/edgeless-block.ts";
import { withReverse } from "../../graph/reverse-edges.ts";
import type { GnnModel } from "../../nn/model.ts";
import type { GrownGraph } from "./grown-graph.ts";

/** Edges that some nodes may be computed from, and numbers of the features of the nodes among them */
export interface NeighborhoodLimits {
  readonly edges: number;
  readonly numbers: number;
}

/** What one hop comes to, counted from the seeds */
interface Hop {
  readonly numDst: number;
  readonly numSrc: number;
  readonly numEdges: number;
}

/**
 * The blocks that the rows of `seeds` are computed from, all in-neighbours of as many hops as the model has layers: the
 * first is of the first layer. The edges of each are the first edges of the one before.
 *
 * @param inDim of the features, for the limit
 * @throws GnnError NODE_TOO_COSTLY beyond a limit, before anything of that size is made
 */
export async function wholeNeighborhood(
  graph: GrownGraph,
  { layers, usesNeighbors, usesDegrees }: Pick<GnnModel, "layers" | "usesNeighbors" | "usesDegrees">,
  seeds: Int32Array,
  { inDim, limits }: { readonly inDim: number; readonly limits: NeighborhoodLimits },
): Promise<readonly Block[]> {
  if (!usesNeighbors) return layers.map(() => edgelessBlock(seeds));
  const gathered = new Neighborhood(graph, seeds, Math.max(1, Math.floor(limits.numbers / Math.max(1, inDim))));
  const hops: Hop[] = [];
  for (let hop = 0; hop < layers.length; hop++) hops.push(gathered.addHop(limits.edges));
  const { ids, indptr, indices, weights, types } = gathered.arrays();
  const degrees = usesDegrees ? await graph.inDegrees(ids) : null;
  return hops.toReversed().map(({ numDst, numSrc, numEdges }) =>
    withReverse({
      device: "cpu",
      numSrc,
      numDst,
      indptr: indptr.subarray(0, numDst + 1),
      indices: indices.subarray(0, numEdges),
      srcIds: ids.subarray(0, numSrc),
      weights: weights?.subarray(0, numEdges) ?? null,
      ...(types && { types: types.subarray(0, numEdges) }),
      ...(degrees && { srcDegrees: degrees.subarray(0, numSrc) }),
    }),
  );
}

/** Nodes in the order in which they were reached, and the in-edges of the first of them */
class Neighborhood {
  readonly #graph: GrownGraph;
  readonly #mostNodes: number;
  readonly #rows = new Map<number, number>();
  readonly #indptr = [0];
  readonly #indices: number[] = [];
  readonly #weights: number[] = [];
  readonly #types: number[] = [];

  constructor(graph: GrownGraph, seeds: Int32Array, mostNodes: number) {
    this.#graph = graph;
    this.#mostNodes = mostNodes;
    for (const seed of seeds) this.#rows.set(seed, this.#rows.size);
  }

  /** Adds the in-edges of all nodes that were reached so far and have none yet. */
  addHop(mostEdges: number): Hop {
    const reached = [...this.#rows.keys()];
    const fresh = reached.slice(this.#indptr.length - 1);
    const more = fresh.reduce((sum, node) => sum + this.#graph.numInEdges(node), 0);
    if (this.#indices.length + more > mostEdges) throw tooCostly(`${this.#indices.length + more} edges`, mostEdges);
    for (const node of fresh) {
      for (const { src, weights, types } of this.#graph.inEdges(node)) {
        for (let i = 0; i < src.length; i++) {
          this.#indices.push(this.#rowOf(src[i] as number));
          if (weights) this.#weights.push(weights[i] as number);
          if (types) this.#types.push(types[i] as number);
        }
      }
      this.#indptr.push(this.#indices.length);
    }
    if (this.#rows.size > this.#mostNodes) throw tooCostly(`${this.#rows.size} nodes`, this.#mostNodes);
    return { numDst: reached.length, numSrc: this.#rows.size, numEdges: this.#indices.length };
  }

  arrays() {
    const hasWeights = this.#weights.length === this.#indices.length && this.#indices.length > 0;
    return {
      ids: Int32Array.from(this.#rows.keys()),
      indptr: Int32Array.from(this.#indptr),
      indices: Int32Array.from(this.#indices),
      weights: hasWeights ? Float32Array.from(this.#weights) : null,
      types: this.#graph.tellsTypes ? Int32Array.from(this.#types) : null,
    };
  }

  #rowOf(node: number): number {
    const row = this.#rows.get(node) ?? this.#rows.size;
    this.#rows.set(node, row);
    return row;
  }
}

function tooCostly(found: string, most: number): GnnError {
  const message = `The new nodes are computed from ${found}; expected ${most} at most. Ask for fewer of them at once, or apply the model by a job of the kind "infer" to a dataset version that has them.`;
  return new GnnError("NODE_TOO_COSTLY", message, { place: { pointer: "/nodes" } });
}
