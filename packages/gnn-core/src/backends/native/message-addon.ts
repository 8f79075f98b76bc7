import type { ArrayTypes, HostArrays, HostInts } from "../memory.ts";

/** What attention kernels need besides the rows (native/include/gnn/nn/gat_conv.h). */
type GatShape<M extends ArrayTypes, B = M["block"]> = readonly [
  block: B,
  heads: number,
  dim: number,
  slope: number,
  meanHeads: boolean,
  srcIds: M["ints"],
  key: HostInts,
  threshold: number,
];

/**
 * Message-passing kernels (native/binding/{message_passing,gat}_binding.cc). Arrays per edge are in the order of
 * `block.indices`; `reverseEdges` is `block.reverse.edges`. Outputs are written in place.
 */
export interface MessageAddon<M extends ArrayTypes = HostArrays> {
  /** out [numDst, dim] = Σ edgeWeights[e]·x_u + selfWeights[v]·x_v; null: weights of 1, no self term */
  weightedSpmm(
    block: M["block"],
    dim: number,
    edgeWeights: M["floats"] | null,
    selfWeights: M["floats"] | null,
    x: M["rows"],
    out: M["floats"],
  ): void;
  weightedSpmmGrad(
    block: M["reversible"],
    reverseEdges: M["ints"],
    dim: number,
    edgeWeights: M["floats"] | null,
    selfWeights: M["floats"] | null,
    dy: M["floats"],
    dx: M["floats"],
  ): void;
  /** out[e] = ⟨x_u, y_v⟩ for e = (u, v) */
  sddmmDot(block: M["block"], dim: number, x: M["floats"], y: M["floats"], out: M["floats"]): void;
  /** Elementwise maximum over in-neighbours, 0 without; share = 1 / (edges that reach it) */
  spmmMax(block: M["block"], dim: number, x: M["floats"], out: M["floats"], share: M["floats"]): void;
  spmmMaxGrad(
    block: M["reversible"],
    dim: number,
    x: M["floats"],
    out: M["floats"],
    share: M["floats"],
    dy: M["floats"],
    dx: M["floats"],
  ): void;
  /** Softmax of scores [numEdges, heads] over the in-edges of each dst row */
  edgeSoftmax(block: M["block"], heads: number, scores: M["floats"], out: M["floats"]): void;
  edgeSoftmaxGrad(block: M["block"], heads: number, out: M["floats"], dy: M["floats"], dScores: M["floats"]): void;
  /** Kipf and Welling's edge and self weights from in-degrees of the whole graph */
  gcnNorm(
    block: M["block"],
    weights: M["floats"] | null,
    importance: M["floats"] | null,
    degrees: M["floats"],
    edges: M["floats"],
    selves: M["floats"],
  ): void;
  /** LightGCN's edge weights from in-degrees of the whole graph */
  symmetricNorm(
    block: M["block"],
    weights: M["floats"] | null,
    importance: M["floats"] | null,
    degrees: M["floats"],
    edges: M["floats"],
  ): void;
  /** out [rows, dim] = act(x + bias); activation 0 none, 1 relu, 2 elu, 3 leakyRelu (0.2), 4 tanh */
  biasActivate(
    rows: number,
    dim: number,
    x: M["floats"],
    bias: M["floats"],
    activation: number,
    out: M["floats"],
  ): void;
  biasActivateGrad(
    rows: number,
    dim: number,
    out: M["floats"],
    dy: M["floats"],
    activation: number,
    dx: M["floats"],
    dBias: M["floats"],
  ): void;
  /** Attention over N(v) ∪ {v}; leaves alpha [numEdges + numDst, heads] and both halves of the scores */
  gatConv(
    ...args: [
      ...shape: GatShape<M>,
      z: M["floats"],
      attentionSrc: M["floats"],
      attentionDst: M["floats"],
      scoreSrc: M["floats"],
      scoreDst: M["floats"],
      alpha: M["floats"],
      out: M["floats"],
    ]
  ): void;
  gatConvGrad(
    ...args: [
      ...shape: GatShape<M, M["reversible"]>,
      reverseEdges: M["ints"],
      z: M["floats"],
      attentionSrc: M["floats"],
      attentionDst: M["floats"],
      scoreSrc: M["floats"],
      scoreDst: M["floats"],
      alpha: M["floats"],
      dy: M["floats"],
      dz: M["floats"],
      dAttentionSrc: M["floats"],
      dAttentionDst: M["floats"],
    ]
  ): void;
}
