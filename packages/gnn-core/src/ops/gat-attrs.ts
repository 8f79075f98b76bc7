import type { Tensor2D } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";

export interface GatAttention {
  /** float32 [heads, dim], applied to the row that sends */
  readonly attentionSrc: Tensor2D;
  /** float32 [heads, dim], applied to the row that receives */
  readonly attentionDst: Tensor2D;
}

export interface GatAttrs {
  readonly block: Block;
  readonly heads: number;
  /** Width of one head */
  readonly dim: number;
  readonly slope: number;
  readonly meanHeads: boolean;
  readonly key: Int32Array;
  readonly threshold: number;
}
