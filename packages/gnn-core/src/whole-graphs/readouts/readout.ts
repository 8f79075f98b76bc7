import type { Tensor2D } from "../../backends/tf.ts";
import type { Block } from "../../graph/block.ts";
import type { NamedVariable } from "../../nn/variables.ts";

/** One row for a graph from the rows of its nodes, whatever their order. */
export interface Readout {
  /** Trained with the encoder; names begin with `readout.` */
  readonly variables: readonly NamedVariable[];
  /**
   * On the tape; to be called inside `tidy`.
   *
   * @param pool see `poolBlock`
   * @param rows float32 [nodes, dim]
   * @returns    float32 [graphs, dim], owned by the caller
   */
  read(pool: Block, rows: Tensor2D): Tensor2D;
}

export interface ReadoutShape {
  /** Width of the nodes' rows */
  readonly dim: number;
  readonly seed: number;
}

/** Makes a readout for rows of some width. */
export type MakeReadout = (shape: ReadoutShape) => Readout;
