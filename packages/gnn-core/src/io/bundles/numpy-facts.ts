import { type ArrayEdges, ArraysDoNotFit } from "./numpy-edges.ts";

/** What all edges together say. */
export interface EdgeFacts {
  /** −1: there is no edge */
  readonly lastNode: number;
  /** Whether each edge is there in both directions, as often in one as in the other and with the same weight */
  readonly isSymmetric: boolean;
  /** Whether one weighs other than 1 */
  readonly hasWeights: boolean;
}

const mostNodes = 2 ** 31;

/**
 * Looks at all edges once. Sums of a hash of (u, v), once added and once taken away as (v, u), are 0 for symmetric
 * edges, and else with a chance of 2⁻⁶⁴.
 *
 * @throws ArraysDoNotFit for what is no number of a node
 */
export async function lookAtEdges(edges: ArrayEdges, check: () => void): Promise<EdgeFacts> {
  let [lastNode, first, second] = [-1, 0, 0];
  let hasWeights = false;
  for await (const { src, dst, weight } of edges.pieces(edges.numEdges)) {
    check();
    for (let i = 0; i < src.length; i++) {
      const [u, v] = [src[i]!, dst[i]!];
      if (!isNode(u) || !isNode(v)) throw new ArraysDoNotFit(`"${isNode(u) ? v : u}" is no number of a node from 0 on`);
      lastNode = Math.max(lastNode, u, v);
      const bits = weight === null ? 0 : bitsOf(weight[i]!);
      first = (first + hashOf(u, v, bits ^ 0x9e3779b1) - hashOf(v, u, bits ^ 0x9e3779b1)) | 0;
      second = (second + hashOf(u, v, bits ^ 0x85ebca6b) - hashOf(v, u, bits ^ 0x85ebca6b)) | 0;
      hasWeights ||= weight !== null && weight[i] !== 1;
    }
  }
  return { lastNode, isSymmetric: first === 0 && second === 0, hasWeights };
}

function isNode(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < mostNodes;
}

const single = new Float32Array(1);
const bitsOfSingle = new Int32Array(single.buffer);

function bitsOf(weight: number): number {
  single[0] = weight;
  return Math.imul(bitsOfSingle[0]!, 0x165667b1);
}

function hashOf(u: number, v: number, seed: number): number {
  let hash = Math.imul(u ^ seed, 0x27d4eb2f) ^ (v + seed);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}
