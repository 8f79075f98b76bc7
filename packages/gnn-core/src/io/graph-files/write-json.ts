import type { JSONParser } from "@streamparser/json";
import { GnnError } from "../../errors/gnn-error.ts";

/** Gives a parser the next piece of a file. @throws GnnError of the parser's own, or DATASET_FORMAT_INVALID */
export function writeJson(parser: JSONParser, piece: string, file: string): void {
  try {
    if (!parser.isEnded || piece.trim() !== "") parser.write(piece);
  } catch (cause) {
    throw cause instanceof GnnError ? cause : damagedJson(file, cause);
  }
}

/** @throws GnnError DATASET_FORMAT_INVALID when a file ends before its value does */
export function endJson(parser: JSONParser, file: string): void {
  if (!parser.isEnded) throw damagedJson(file, null);
}

function damagedJson(file: string, cause: unknown): GnnError {
  const message = `${file} is not JSON throughout; its end is missing or something in it is not JSON. Write it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { ...(cause ? { cause } : {}), place: { file } });
}
