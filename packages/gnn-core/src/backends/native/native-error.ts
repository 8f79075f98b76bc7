import { type GnnErrorCode, gnnErrorCodes } from "../../errors/codes.ts";
import { GnnError } from "../../errors/gnn-error.ts";

/** Native functions throw plain Errors that carry one of the engine's codes; this gives them the engine's type. */
export function asGnnError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof GnnError || !("code" in error)) return error;
  const code = String(error.code);
  return code in gnnErrorCodes ? new GnnError(code as GnnErrorCode, error.message, { cause: error }) : error;
}

/** Awaits a native promise, or calls a native function, with its errors as GnnErrors. */
export async function native<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asGnnError(error);
  }
}

/** Runs a function that answers at once, with its errors translated as above. */
export function nativeSync<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asGnnError(error);
  }
}
