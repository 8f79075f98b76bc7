import { type Tensor2D } from "../../backends/tf.ts";
import { glorotUniform, type NamedVariable } from "../../nn/variables.ts";
import { gatherRows } from "../../ops/gather-rows.ts";
import type { DecoderShape } from "./link-decoder.ts";

/** Learned rows of the relations. */
export interface RelationRows {
  readonly variable: NamedVariable;
  /**
   * On the tape.
   *
   * @param relations int32 [n]; left out: relation 0 alone
   * @returns float32 [n, dim], or [1, dim]
   */
  take(relations: Int32Array | undefined): Tensor2D;
}

/**
 * A row for each relation. How far apart they start does not depend on how many there are.
 *
 * @param name of the weights, behind `decoder.`
 * @param dim  columns of a row
 */
export function relationRows(
  name: string,
  dim: number,
  { seed, numRelations = 1 }: Pick<DecoderShape, "seed" | "numRelations">,
): RelationRows {
  const named = glorotUniform(`decoder.${name}`, numRelations, dim, seed, 1);
  const { variable } = named;
  return {
    variable: named,
    take: (relations) => gatherRows(variable, relations ?? first),
  };
}

const first = Int32Array.of(0);
