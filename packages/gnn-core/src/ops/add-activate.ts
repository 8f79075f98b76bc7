import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, slice, type Tensor2D, tidy, zeros } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type BiasActivation, biasActivate } from "./bias-activate.ts";

export interface AddAttrs {
  readonly activation: BiasActivation;
}

/**
 * out = act(a + b): what two ways through a layer give together. Of `a` the first rows are read, as the dst rows of a
 * block are its first src rows.
 *
 * @param a  float32 [≥ n, dim]
 * @param b  float32 [n, dim]
 * @returns  float32 [n, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when a has fewer rows than b, or other columns
 */
export function addActivate(a: Tensor2D, b: Tensor2D, activation: BiasActivation): Tensor2D {
  if (a.shape[0] < b.shape[0] || a.shape[1] !== b.shape[1]) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `addActivate: a is [${a.shape.join(", ")}]; expected at least ${b.shape[0]} rows of ${b.shape[1]} columns.`,
    );
  }
  if (!hasKernel("AddActivate")) return tidy(() => composeAddActivate(a, b, activation));
  return runKernel("AddActivate", { a, b }, { activation } satisfies AddAttrs)[0] as Tensor2D;
}

/** Composes the op from stock ones. */
export function composeAddActivate(a: Tensor2D, b: Tensor2D, activation: BiasActivation): Tensor2D {
  const [rows, dim] = b.shape;
  return biasActivate(add<Tensor2D>(slice(a, [0, 0], [rows, dim]), b), zeros([dim]), activation);
}
