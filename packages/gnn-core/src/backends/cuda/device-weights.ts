import type { Block } from "../../graph/block.ts";
import type { SumWeights } from "../../ops/weighted-spmm.ts";
import { numEdgesOf } from "../block-edges.ts";
import { HeldFloats } from "../memory.ts";
import { nativeSync } from "../native/native-error.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import type { BlockHandle, FloatsHandle } from "./memory-addon.ts";

/** Weights that follow from degrees: those of ops/gcn-norm.ts, ops/neighbor-weights.ts and ops/symmetric-norm.ts */
export type DegreeWeights = "gcn" | "inclusiveMean" | "symmetric";

/** Has the device make the weights of a block without weights of its own. `giveBackWeights` ends them. */
export function weightsByDegrees(
  { addon, uploads }: CudaBackend,
  kind: DegreeWeights,
  block: Block & { readonly handle: BlockHandle },
  degrees: FloatsHandle,
): SumWeights<HeldFloats> {
  const [edges, selves] = nativeSync(() =>
    uploads.call(() => {
      const made = uploads.forOutput(addon.makeFloats(numEdgesOf(block)));
      const own = kind === "symmetric" ? null : uploads.forOutput(addon.makeFloats(block.numDst));
      if (!own) addon.symmetricNorm(block.handle, null, null, degrees, made);
      else if (kind === "gcn") addon.gcnNorm(block.handle, null, null, degrees, made, own);
      else addon.neighborWeights(block.handle, null, null, degrees, made, own);
      return [made, own];
    }),
  );
  return { edgeWeights: new HeldFloats(edges), selfWeights: selves && new HeldFloats(selves) };
}

export function giveBackWeights({ addon }: CudaBackend, { edgeWeights, selfWeights }: SumWeights<HeldFloats>): void {
  for (const held of [edgeWeights, selfWeights]) if (held) addon.giveBack(held.handle as FloatsHandle);
}
