import { activeCuda } from "../backends/active-cuda.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type Precision, precisions } from "../spec/precision.ts";

/**
 * Has products of matrices multiply with a precision from now on; the next trainer of the process chooses its own.
 *
 * @throws GnnError SPEC_INVALID where the active backend has float32 alone, DEVICE_NOT_AVAILABLE where its device has
 */
export function usePrecision(precision: Precision): void {
  const cuda = activeCuda();
  if (cuda) return nativeSync(() => cuda.addon.setPrecision(precisions.indexOf(precision)));
  if (precision === "fp32") return;
  const pointer = "/train/precision";
  const message = `${pointer}: ${precision} is for GPUs, and this backend computes in fp32; take fp32, or the backend cuda.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}
