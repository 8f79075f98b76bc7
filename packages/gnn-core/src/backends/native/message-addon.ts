import type { NativeBlock, NativeRows, ReversibleBlock } from "./sparse-addon.ts";

/** What attention kernels need besides the rows (native/include/gnn/nn/gat_conv.h). */
type GatShape<B = NativeBlock> = readonly [
  block: B,
  heads: number,
  dim: number,
  slope: number,
  meanHeads: boolean,
  srcIds: Int32Array,
  key: Int32Array,
  threshold: number,
];

/**
 * Message-passing kernels (native/binding/{message_passing,gat}_binding.cc). Arrays per edge are in the order of
 * `block.indices`; `reverseEdges` is `block.reverse.edges`. Outputs are written in place.
 */
export interface MessageAddon {
  /** out [numDst, dim] = Σ edgeWeights[e]·x_u + selfWeights[v]·x_v; null: weights of 1, no self term */
  weightedSpmm(
    block: NativeBlock,
    dim: number,
    edgeWeights: Float32Array | null,
    selfWeights: Float32Array | null,
    x: Float32Array | NativeRows,
    out: Float32Array,
  ): void;
  weightedSpmmGrad(
    block: ReversibleBlock,
    reverseEdges: Int32Array,
    dim: number,
    edgeWeights: Float32Array | null,
    selfWeights: Float32Array | null,
    dy: Float32Array,
    dx: Float32Array,
  ): void;
  /** out[e] = ⟨x_u, y_v⟩ for e = (u, v) */
  sddmmDot(block: NativeBlock, dim: number, x: Float32Array, y: Float32Array, out: Float32Array): void;
  /** Elementwise maximum over in-neighbours, 0 without; share = 1 / (edges that reach it) */
  spmmMax(block: NativeBlock, dim: number, x: Float32Array, out: Float32Array, share: Float32Array): void;
  spmmMaxGrad(
    block: ReversibleBlock,
    dim: number,
    x: Float32Array,
    out: Float32Array,
    share: Float32Array,
    dy: Float32Array,
    dx: Float32Array,
  ): void;
  /** Softmax of scores [numEdges, heads] over the in-edges of each dst row */
  edgeSoftmax(block: NativeBlock, heads: number, scores: Float32Array, out: Float32Array): void;
  edgeSoftmaxGrad(block: NativeBlock, heads: number, out: Float32Array, dy: Float32Array, dScores: Float32Array): void;
  /** Kipf and Welling's edge and self weights from in-degrees of the whole graph */
  gcnNorm(
    block: NativeBlock,
    weights: Float32Array | null,
    importance: Float32Array | null,
    degrees: Float32Array,
    edges: Float32Array,
    selves: Float32Array,
  ): void;
  /** out [rows, dim] = act(x + bias); activation 0 none, 1 relu, 2 elu, 3 leakyRelu (0.2), 4 tanh */
  biasActivate(
    rows: number,
    dim: number,
    x: Float32Array,
    bias: Float32Array,
    activation: number,
    out: Float32Array,
  ): void;
  biasActivateGrad(
    rows: number,
    dim: number,
    out: Float32Array,
    dy: Float32Array,
    activation: number,
    dx: Float32Array,
    dBias: Float32Array,
  ): void;
  /** Attention over N(v) ∪ {v}; leaves alpha [numEdges + numDst, heads] and both halves of the scores */
  gatConv(
    ...args: [
      ...shape: GatShape,
      z: Float32Array,
      attentionSrc: Float32Array,
      attentionDst: Float32Array,
      scoreSrc: Float32Array,
      scoreDst: Float32Array,
      alpha: Float32Array,
      out: Float32Array,
    ]
  ): void;
  gatConvGrad(
    ...args: [
      ...shape: GatShape<ReversibleBlock>,
      reverseEdges: Int32Array,
      z: Float32Array,
      attentionSrc: Float32Array,
      attentionDst: Float32Array,
      scoreSrc: Float32Array,
      scoreDst: Float32Array,
      alpha: Float32Array,
      dy: Float32Array,
      dz: Float32Array,
      dAttentionSrc: Float32Array,
      dAttentionDst: Float32Array,
    ]
  ): void;
}
