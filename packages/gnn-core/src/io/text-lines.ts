import { GnnError } from "../errors/gnn-error.ts";
import { decoderOf, UndecodableText } from "./encoding/decode-text.ts";
import { unpackedBytes } from "./text-file.ts";

/** In characters; more is no line but another kind of file. */
const longestLine = 2 ** 20;

/**
 * The lines of a plain or gzipped UTF-8 text, numbered from 1.
 *
 * @throws GnnError DATASET_FORMAT_INVALID
 */
export async function* textLines(
  path: string,
  compression: "none" | "gzip",
  file: string,
): AsyncGenerator<{ readonly line: number; readonly text: string }> {
  const decoder = decoderOf("utf-8");
  let rest = "";
  let line = 1;
  for await (const chunk of unpackedBytes(path, compression)) {
    const lines = (rest + decoded(() => decoder.decode(chunk), file, line)).split("\n");
    rest = lines.pop()!;
    for (const text of lines) yield { line: line++, text };
    if (rest.length > longestLine) throw invalid(file, line, "the line does not end within a million characters.");
  }
  rest += decoded(() => decoder.end(), file, line);
  if (rest !== "") yield { line, text: rest };
}

function decoded(decode: () => string, file: string, line: number): string {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof UndecodableText)) throw error;
    throw invalid(file, line, "here or further down, bytes are not UTF-8. Save the file as UTF-8.");
  }
}

function invalid(file: string, line: number, found: string): GnnError {
  return new GnnError("DATASET_FORMAT_INVALID", `${file}, line ${line}: ${found}`, { place: { file, line } });
}
