import type { ArrayTypes, HostArrays } from "../memory.ts";

/** Sums over in-neighbours of GIN (native/binding/gin_binding.cc). Outputs are written in place. */
export interface GinAddon<M extends ArrayTypes = HostArrays> {
  /** out [numDst, dim] = Σ edgeWeights[e]·x_u + (1 + epsilon[0])·x_v; null: weights of 1 */
  ginSum(
    block: M["block"],
    dim: number,
    edgeWeights: M["floats"] | null,
    epsilon: M["floats"],
    x: M["floats"],
    out: M["floats"],
  ): void;
  ginSumGrad(
    block: M["reversible"],
    reverseEdges: M["ints"],
    dim: number,
    edgeWeights: M["floats"] | null,
    epsilon: M["floats"],
    x: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
    dEpsilon: M["floats"],
  ): void;
  /**
   * Edge weights that estimate the sum over all in-edges; with `selves` [numDst]: the mean over v and its in-neighbours
   */
  neighborWeights(
    block: M["block"],
    weights: M["floats"] | null,
    importance: M["floats"] | null,
    degrees: M["floats"],
    edges: M["floats"],
    selves: M["floats"] | null,
  ): void;
}
