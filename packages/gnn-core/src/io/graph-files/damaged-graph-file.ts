import { GnnError } from "../../errors/gnn-error.ts";

/** What a parser says of a file that breaks the rules of its format. */
export function damagedGraphFile(file: string, line: number, found: string): GnnError {
  const message = `${file}, line ${line}: ${found}`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, line } });
}
