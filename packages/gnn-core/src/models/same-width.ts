import { GnnError } from "../errors/gnn-error.ts";

/**
 * Sees to it that the rows which a model without weights reads are as wide as what it gives.
 *
 * @throws GnnError SPEC_INVALID with the pointer of the learned rows
 */
export function requireSameWidth(
  model: string,
  { inDim, outDim }: { readonly inDim: number; readonly outDim: number },
) {
  if (inDim === outDim) return;
  const pointer = inDim === 0 ? "/features/embedding" : "/features/embedding/dim";
  const found =
    inDim === 0
      ? `the model ${model} reads the learned rows, and none are; have rows learned that are ${outDim} wide`
      : `the model ${model} reads the learned rows as they are, ${inDim} wide, and the task asks for ${outDim}; make both equal`;
  throw new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
