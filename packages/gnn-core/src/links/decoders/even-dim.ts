import { GnnError } from "../../errors/gnn-error.ts";

/** @throws GnnError SPEC_INVALID where complex numbers are asked of a row that cannot be halved */
export function assertEvenDim(decoder: string, dim: number): void {
  if (dim % 2 === 0) return;
  throw new GnnError(
    "SPEC_INVALID",
    `${decoder} halves rows into real and imaginary parts, and they have ${dim} columns; choose an even number.`,
  );
}
