import { loadAddon } from "../backends/native/addon.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { collectGraph } from "./collect-graph.ts";
import type { DrawnGraph } from "./draw-columns.ts";
import { type GenerationOptions, onThreads, progressOf } from "./generation-options.ts";

export interface RmatOptions {
  /** The graph has 2^scale nodes, scale from 1 to 30. */
  readonly scale: number;
  /** Distinct undirected pairs per node. Default 16. */
  readonly edgeFactor?: number;
  /** Chances of the quadrants; the fourth is what is left. Default 0.57, 0.19, 0.19. */
  readonly quadrants?: readonly [number, number, number];
  readonly seed?: number;
}

/**
 * R-MAT (Chakrabarti, Zhan and Faloutsos 2004), made undirected: skewed degrees, no communities, no features. Each bit
 * of (src, dst) falls into one of four quadrants. The same options give the same graph, on any number of threads; ids
 * are shuffled.
 *
 * @throws GnnError SPEC_INVALID for a scale out of range, CANCELLED
 */
export async function rmatGraph(options: RmatOptions, generation: GenerationOptions = {}): Promise<CscGraph> {
  return onThreads(generation.threads, () => collectGraph(rmatSource(options), progressOf(generation)));
}

export function rmatSource({
  scale,
  edgeFactor = 16,
  quadrants: [a, b, c] = [0.57, 0.19, 0.19],
  seed = 0,
}: RmatOptions): DrawnGraph {
  if (!Number.isInteger(scale) || scale < 1 || scale > 30) {
    throw new GnnError("SPEC_INVALID", `An R-MAT graph of scale ${scale}: expected an integer from 1 to 30.`);
  }
  const numNodes = 2 ** scale;
  const source = loadAddon().createRmat(scale, a, b, c, seed);
  return { source, numNodes, numPairs: Math.round(numNodes * edgeFactor), seed };
}
