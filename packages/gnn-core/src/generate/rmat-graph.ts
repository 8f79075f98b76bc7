import type { CscGraph } from "../graph/csc-graph.ts";
import { distinctPairs } from "./distinct-pairs.ts";
import { graphFromPairs } from "./graph-from-pairs.ts";
import { SeededRandom } from "./random.ts";

export interface RmatOptions {
  /** The graph has 2^scale nodes. */
  readonly scale: number;
  /** Distinct undirected pairs per node. Default 16. */
  readonly edgeFactor?: number;
  /** Chances of the quadrants; the fourth is what is left. Default 0.57, 0.19, 0.19. */
  readonly quadrants?: readonly [number, number, number];
  readonly seed?: number;
}

/**
 * R-MAT (Chakrabarti, Zhan and Faloutsos 2004), made undirected: skewed degrees, no communities, no features. Each bit
 * of (src, dst) falls into one of four quadrants. The same options give the same graph; ids are shuffled.
 */
export async function rmatGraph(options: RmatOptions): Promise<CscGraph> {
  const { scale, edgeFactor = 16, quadrants = [0.57, 0.19, 0.19], seed = 0 } = options;
  const [a, b, c] = quadrants;
  const numNodes = 2 ** scale;
  const random = new SeededRandom(seed);
  const ids = random.permutation(numNodes);
  const drawPair = (pair: Int32Array) => {
    let [src, dst] = [0, 0];
    for (let bit = 0; bit < scale; bit++) {
      const draw = random.uniform();
      src = 2 * src + (draw >= a + b ? 1 : 0);
      dst = 2 * dst + ((draw >= a && draw < a + b) || draw >= a + b + c ? 1 : 0);
    }
    pair[0] = ids[src]!;
    pair[1] = ids[dst]!;
  };
  const keys = distinctPairs(numNodes, numNodes * edgeFactor, drawPair, () => random.uniform());
  return graphFromPairs(numNodes, keys);
}
