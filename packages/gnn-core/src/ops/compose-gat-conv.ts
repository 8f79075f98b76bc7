import {
  add,
  concat,
  div,
  exp,
  expandDims,
  gather,
  leakyRelu,
  mean,
  mul,
  ones,
  type Rank,
  reshape,
  slice,
  sub,
  sum,
  type Tensor2D,
  type Tensor3D,
  tensor1d,
  tensor2d,
  unsortedSegmentSum,
} from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { philox4x32 } from "../random/philox.ts";
import type { GatAttention, GatAttrs } from "./gat-attrs.ts";

/** `gatConv` from stock ops. It holds every message: an oracle, and a way to run on any other tfjs backend. */
export function composeGatConv(z: Tensor2D, { attentionSrc, attentionDst }: GatAttention, attrs: GatAttrs): Tensor2D {
  const { block, heads, dim, slope, meanHeads } = attrs;
  const { numDst } = block;
  // Segment sums do not take zero edges.
  if (numDst === 0) return mul(slice(z, [0, 0], [0, meanHeads ? dim : heads * dim]), 0);
  const { src, dst, positions } = edgesWithSelfLoops(block);
  const srcRows = tensor1d(src, "int32");
  const dstRows = tensor1d(dst, "int32");
  const perHead = reshape<Rank.R3>(z, [block.numSrc, heads, dim]);
  const received = slice(perHead, [0, 0, 0], [numDst, heads, dim]);
  const fromSrc = gather<Tensor2D>(sum<Tensor2D>(mul(perHead, attentionSrc), 2), srcRows);
  const fromDst = gather<Tensor2D>(sum<Tensor2D>(mul(received, attentionDst), 2), dstRows);
  const scores = leakyRelu(add<Tensor2D>(fromSrc, fromDst), slope);
  const highest = highestPerDst(scores.dataSync<"float32">(), dst, numDst, heads);
  const powers = exp(sub<Tensor2D>(scores, tensor2d(highest, [src.length, heads])));
  const sums = unsortedSegmentSum<Tensor2D>(powers, dstRows, numDst);
  const alpha = div<Tensor2D>(powers, gather(sums, dstRows));
  const undropped = mul<Tensor2D>(alpha, tensor2d(attentionMask(attrs, src, dst), [src.length, heads]));
  const kept = block.messageFactors
    ? mul<Tensor2D>(undropped, factorsWithLoops(block.messageFactors, positions))
    : undropped;
  const messages = mul<Tensor3D>(gather<Tensor3D>(perHead, srcRows), expandDims(kept, 2));
  const out = unsortedSegmentSum<Tensor3D>(messages, dstRows, numDst);
  return meanHeads ? mean<Tensor2D>(out, 1) : reshape<Rank.R2>(out, [numDst, heads * dim]);
}

/** float32 [edges with self-loops, 1]; a self-loop has the factor 1. */
function factorsWithLoops(factors: Tensor2D, positions: Int32Array): Tensor2D {
  return gather<Tensor2D>(concat([factors, ones([1, 1])]), tensor1d(positions, "int32"));
}

/** By edge its ends, and its position in `block.indices`: of a self-loop the one behind the last. */
function edgesWithSelfLoops({ numDst, indptr, indices }: Block): Record<"src" | "dst" | "positions", Int32Array> {
  const src: number[] = [];
  const dst: number[] = [];
  const positions: number[] = [];
  const push = (u: number, v: number, position: number) => {
    src.push(u);
    dst.push(v);
    positions.push(position);
  };
  for (let v = 0; v < numDst; v++) {
    for (let e = indptr[v] as number; e < (indptr[v + 1] as number); e++) {
      if (indices[e] !== v) push(indices[e] as number, v, e);
    }
    push(v, v, indices.length);
  }
  return { src: Int32Array.from(src), dst: Int32Array.from(dst), positions: Int32Array.from(positions) };
}

/** Largest score among the edges of the same dst row, by edge; a constant shift that the softmax does not see. */
function highestPerDst(scores: Float32Array, dst: Int32Array, numDst: number, heads: number): Float32Array {
  const highest = new Float32Array(numDst * heads).fill(-Infinity);
  const at = (i: number) => (dst[Math.floor(i / heads)] as number) * heads + (i % heads);
  for (const [i, score] of scores.entries()) highest[at(i)] = Math.max(highest[at(i)] as number, score);
  return scores.map((_, i) => highest[at(i)] as number);
}

/** 0 or 1/(1 − rate) by edge and head; native/include/gnn/nn/gat_conv.h states the rule. */
function attentionMask({ block, heads, key, threshold }: GatAttrs, src: Int32Array, dst: Int32Array): Float32Array {
  const mask = new Float32Array(src.length * heads).fill(1);
  if (threshold === 0) return mask;
  const [seed, layer, epoch, step] = key as unknown as [number, number, number, number];
  const id = (row: number | undefined) => block.srcIds[row as number] as number;
  return mask.map((_, i) => {
    const edge = Math.floor(i / heads);
    const head = i % heads;
    const words = Uint32Array.of(id(dst[edge]), id(src[edge]), epoch, step);
    philox4x32(words, seed, layer + 65536 * (1 + Math.floor(head / 8)));
    const word = words[(head % 8) >> 1] as number;
    const half = head % 2 === 0 ? word & 0xffff : word >>> 16;
    return half < threshold ? 0 : 65536 / (65536 - threshold);
  });
}
