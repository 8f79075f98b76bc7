import { AppError, limits } from "@hopwise/contracts";
import { jsonExcess } from "@hopwise/gnn-core/spec";
import { requireSound } from "./require-sound.ts";

/**
 * A JSON body, refused before it is parsed when it is too deep or has too many values.
 *
 * @throws AppError REQUEST_INVALID, with the pointer where a value cannot be taken
 */
export function parseJson(text: string): unknown {
  return requireSound(parseBoundedJson(text));
}

/** Parses for a caller that looks at its values itself, and can answer for one of them better than for the whole. */
export function parseBoundedJson(text: string): unknown {
  const excess = jsonExcess(text, { depth: limits.bodyDepth, values: limits.bodyValues });
  if (excess !== null) throw new AppError("REQUEST_INVALID", `The body is not read: ${excess}.`);
  return parsed(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("REQUEST_INVALID", `The body is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
