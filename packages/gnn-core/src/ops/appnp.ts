import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, mul, slice, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { philox4x32 } from "../random/philox.ts";
import { checkBlockRows, dstOfEdges } from "./block-attrs.ts";
import { type DropoutKey, dropoutThreshold, dropoutWords } from "./dropout.ts";
import { gcnWeights } from "./gcn-norm.ts";
import { type BlockWeights, composeWeightedSpmm, hostWeights, type SumWeights } from "./weighted-spmm.ts";

export interface AppnpOptions {
  /** Probability of going back to the node itself, in (0, 1] */
  readonly alpha: number;
  /** Dropout of the entries of Â, diagonal included, drawn anew for each hop; null: none. Hop k has key.layer + k. */
  readonly dropout: { readonly rate: number; readonly key: DropoutKey } | null;
}

export interface AppnpAttrs {
  readonly hops: readonly Hop[];
  readonly alpha: number;
  readonly rowsOfH: number;
  /** Then h is the only input, and its gradient is that of both. */
  readonly startsFromH: boolean;
}

export interface Hop {
  readonly block: Block;
  readonly norm: BlockWeights;
  readonly key: Int32Array;
  readonly threshold: number;
}

/**
 * Personalised propagation over all hops at once. The operation is linear, so nothing is kept for the gradient; one
 * hop's rows live at a time.
 *   z⁰ = h;  zᵏ⁺¹ = (1 − α)·Â·zᵏ + α·h;  returns zᴷ, Â = D̂^-1/2·(A + I)·D̂^-1/2 as in ops/gcn-norm.ts
 * Gasteiger et al. 2019 (arXiv:1810.05997), equation 4; α·(1 − α)ᵏ of a walk's weight is returned after k hops.
 *
 * @param blocks  one per hop, the first farthest from the seeds; src rows of each are the dst rows of the one before
 * @param h       float32 [≥ blocks[0].numDst, dim]; the dst rows of every block are its first rows
 * @param start   float32 [blocks[0].numSrc, dim], what takes the place of z⁰; left out: h
 * @returns       float32 [numDst of the last block, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when rows and blocks do not fit, or a block carries no degrees
 */
export function appnp(
  blocks: readonly Block[],
  h: Tensor2D,
  { alpha, dropout }: AppnpOptions,
  start: Tensor2D = h,
): Tensor2D {
  const threshold = dropoutThreshold(dropout?.rate ?? 0);
  const noKey = { seed: 0, layer: 0, epoch: 0, step: 0 };
  let rows = start.shape[0];
  const hops = blocks.map((block, index): Hop => {
    checkBlockRows("appnp", block, rows);
    rows = block.numDst;
    const key = { ...(dropout?.key ?? noKey), layer: (dropout?.key.layer ?? 0) + index };
    return { block, norm: gcnWeights(block), key: dropoutWords(key), threshold };
  });
  if (hops.length === 0) throw new GnnError("SHAPE_MISMATCH", "appnp: there is no block; expected one per hop.");
  const hasFactors = blocks.some(({ messageFactors }) => messageFactors);
  if (!hasKernel("Appnp") || hasFactors) return tidy(() => composeAppnp(hops, h, alpha, start));
  const startsFromH = start === h;
  const attrs: AppnpAttrs = { hops, alpha, rowsOfH: h.shape[0], startsFromH };
  return runKernel("Appnp", startsFromH ? { h } : { h, start }, attrs)[0] as Tensor2D;
}

/** Composes the op from stock ones. */
function composeAppnp(hops: readonly Hop[], h: Tensor2D, alpha: number, start: Tensor2D): Tensor2D {
  return hops.reduce((z, hop) => {
    const own = slice(h, [0, 0], [hop.block.numDst, h.shape[1]]);
    return add<Tensor2D>(mul(composeWeightedSpmm(hop.block, z, dropped(hop)), 1 - alpha), mul(own, alpha));
  }, start);
}

/** The entries of Â after dropout; native/include/gnn/nn/appnp_hop.h states the rule. */
function dropped({ block, norm, key, threshold }: Hop): SumWeights {
  const { edgeWeights, selfWeights } = hostWeights(norm);
  const factor = (v: number, u: number) => {
    const [seed, layer, epoch, step] = key as unknown as [number, number, number, number];
    const words = Uint32Array.of(block.srcIds[v] as number, block.srcIds[u] as number, epoch, step);
    philox4x32(words, seed, layer + 65536);
    return ((words[0] as number) & 0xffff) < threshold ? 0 : 65536 / (65536 - threshold);
  };
  if (threshold === 0) return { edgeWeights, selfWeights };
  const dst = dstOfEdges(block);
  return {
    edgeWeights: edgeWeights && edgeWeights.map((w, e) => w * factor(dst[e] as number, block.indices[e] as number)),
    selfWeights: selfWeights && selfWeights.map((w, v) => w * factor(v, v)),
  };
}
