import type { Block } from "../../../graph/block.ts";
import { loadAddon } from "../addon.ts";
import { nativeSync } from "../native-error.ts";
import { nativeBlock } from "./block-args.ts";

/**
 * Writes the weights of the symmetrically normalised adjacency (ops/gcn-norm.ts has them as equations).
 *
 * @param srcDegrees   float32 [block.numSrc]
 * @param edgeWeights  float32 [numEdges], written
 * @param selfWeights  float32 [block.numDst], written
 */
export function fillGcnNorm(
  block: Block,
  srcDegrees: Float32Array,
  edgeWeights: Float32Array,
  selfWeights: Float32Array,
): void {
  const importance = block.importance?.sum ?? null;
  nativeSync(() =>
    loadAddon().gcnNorm(nativeBlock(block), block.weights, importance, srcDegrees, edgeWeights, selfWeights),
  );
}

/**
 * Writes the weights of the symmetrically normalised adjacency without self-loops (ops/symmetric-norm.ts has them as
 * equations).
 *
 * @param srcDegrees   float32 [block.numSrc]
 * @param edgeWeights  float32 [numEdges], written
 */
export function fillSymmetricNorm(block: Block, srcDegrees: Float32Array, edgeWeights: Float32Array): void {
  const importance = block.importance?.sum ?? null;
  nativeSync(() => loadAddon().symmetricNorm(nativeBlock(block), block.weights, importance, srcDegrees, edgeWeights));
}

/**
 * Writes the weights of a sum over neighbours, or of the mean with the node itself (ops/neighbor-weights.ts has them as
 * equations).
 *
 * @param srcDegrees   float32 [block.numSrc]
 * @param edgeWeights  float32 [numEdges], written
 * @param selfWeights  float32 [block.numDst], written; null: the sum
 */
export function fillNeighborWeights(
  block: Block,
  srcDegrees: Float32Array,
  edgeWeights: Float32Array,
  selfWeights: Float32Array | null,
): void {
  const importance = block.importance?.sum ?? null;
  nativeSync(() =>
    loadAddon().neighborWeights(nativeBlock(block), block.weights, importance, srcDegrees, edgeWeights, selfWeights),
  );
}
