import type { NativeBlock, ReversibleBlock } from "./sparse-addon.ts";

/** What a hop of APPNP needs besides the rows (native/include/gnn/nn/appnp_hop.h). */
type AppnpShape<B = NativeBlock> = readonly [
  block: B,
  dim: number,
  alpha: number,
  edgeWeights: Float32Array,
  selfWeights: Float32Array,
  srcIds: Int32Array,
  key: Int32Array,
  threshold: number,
  rowsOfH: number,
];

/** Sums over in-neighbours of GIN and APPNP (native/binding/propagation_binding.cc). Outputs are written in place. */
export interface PropagationAddon {
  /** out [numDst, dim] = (1 − alpha)·Â·z + alpha·h[:numDst], entries of Â dropped by the key */
  appnpHop(...args: [...shape: AppnpShape, z: Float32Array, h: Float32Array, out: Float32Array]): void;
  /** dz [numSrc, dim], and dh[v] += alpha·dy_v; `reverseEdges` is `block.reverse.edges` */
  appnpHopGrad(
    ...args: [
      ...shape: AppnpShape<ReversibleBlock>,
      reverseEdges: Int32Array,
      dy: Float32Array,
      dz: Float32Array,
      dh: Float32Array,
    ]
  ): void;
  /** out [numDst, dim] = Σ edgeWeights[e]·x_u + (1 + epsilon[0])·x_v; null: weights of 1 */
  ginSum(
    block: NativeBlock,
    dim: number,
    edgeWeights: Float32Array | null,
    epsilon: Float32Array,
    x: Float32Array,
    out: Float32Array,
  ): void;
  ginSumGrad(
    block: ReversibleBlock,
    reverseEdges: Int32Array,
    dim: number,
    edgeWeights: Float32Array | null,
    epsilon: Float32Array,
    x: Float32Array,
    dy: Float32Array,
    dx: Float32Array,
    dEpsilon: Float32Array,
  ): void;
  /**
   * Edge weights that estimate the sum over all in-edges; with `selves` [numDst]: the mean over v and its in-neighbours
   */
  neighborWeights(
    block: NativeBlock,
    weights: Float32Array | null,
    importance: Float32Array | null,
    degrees: Float32Array,
    edges: Float32Array,
    selves: Float32Array | null,
  ): void;
}
