import { GnnError } from "../../errors/gnn-error.ts";
import { asUtf8, type CopyContext } from "../encoding/as-utf8.ts";
import { detectEncoding, type FoundEncoding } from "../encoding/detect-encoding.ts";
import { type Encoding, encodings, nameOfEncoding } from "../encoding/encodings.ts";
import { fileKindOf } from "../file-kind.ts";
import { compressionOf } from "../text-file.ts";
import type { ReaderChoice, UploadedFile } from "../uploaded-files.ts";

/** A file whose text, if it is text, is UTF-8 at the path given. */
export interface DecodedFile {
  readonly file: UploadedFile;
  /** null: it is no text, or ASCII, which all of them read the same */
  readonly encoding: Encoding | null;
  /** Whether the spec must name the encoding, as it was chosen or guessed. */
  readonly isNamed: boolean;
  readonly reasons: readonly string[];
  readonly doubts: readonly string[];
  readonly remove: () => Promise<void>;
}

/**
 * Finds out how the text of a file is encoded, unless somebody has said so, and makes a copy in UTF-8 where it must.
 *
 * @throws GnnError as `asUtf8`
 */
export async function decodedFile(
  file: UploadedFile,
  choice: ReaderChoice | undefined,
  context: CopyContext,
): Promise<DecodedFile> {
  const chosen = encodings.find((one) => one === choice?.options["encoding"]);
  const found = chosen ? { encoding: chosen, isAscii: false, guessedBy: null } : await encodingOf(file);
  const { path, remove } = await asUtf8(file, found?.encoding ?? "utf-8", context);
  const isUsual = chosen !== undefined || found === null || found.encoding === "utf-8";
  return {
    file: { ...file, path },
    encoding: found === null || found.isAscii ? null : found.encoding,
    isNamed: chosen !== undefined || Boolean(found?.guessedBy),
    reasons: isUsual || found.guessedBy ? [] : [`Its text is in ${nameOfEncoding(found.encoding)}.`],
    doubts: found?.guessedBy ? [guess(found.encoding, found.guessedBy)] : [],
    remove,
  };
}

/** Null: it is no text, or a damaged one, about which its reader has an error of its own. */
async function encodingOf({ path, name }: UploadedFile): Promise<FoundEncoding | null> {
  const { kind } = await fileKindOf(path);
  const compression = await compressionOf(path);
  if (compression === "zstd" || (kind !== "text" && kind !== "json" && kind !== "xml")) return null;
  try {
    return await detectEncoding(path, compression, name);
  } catch (error) {
    if (error instanceof GnnError) throw error;
    return null;
  }
}

function guess(encoding: Encoding, { line, text }: { readonly line: number; readonly text: string }): string {
  return `its bytes are not UTF-8. They are read as ${nameOfEncoding(encoding)}, by which line ${line} holds ${JSON.stringify(text)}. If that looks wrong, save the file as UTF-8.`;
}
