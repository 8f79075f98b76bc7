import { GnnError } from "../../errors/gnn-error.ts";
import { cutCharacter, damagedLine, lineFeedsIn } from "../encoding/damaged-line.ts";

/** In characters; no text that JavaScript holds is four times as long. */
const maxBetweenRecords = 2 ** 27;

/**
 * The records of a text, of which parsers hold what is not whole yet.
 *
 * @param parse makes records of pieces of text that need not end where records do
 * @param tooFarApart the error when more than `most` characters lie between two of them
 */
export async function* boundedRecords<R>(
  parse: (text: AsyncIterable<string>) => AsyncIterable<R>,
  text: AsyncIterable<string>,
  tooFarApart: (most: number) => GnnError,
): AsyncIterable<R> {
  let sinceRecord = 0;
  async function* counted() {
    for await (const piece of text) {
      sinceRecord += piece.length;
      if (sinceRecord > maxBetweenRecords) throw tooFarApart(maxBetweenRecords);
      yield piece;
    }
  }
  for await (const record of parse(counted())) {
    sinceRecord = 0;
    yield record;
  }
}

/** @throws GnnError DATASET_FORMAT_INVALID when the bytes are not UTF-8 */
export async function* utf8TextOf(bytes: AsyncIterable<Uint8Array>, file: string): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  let before: Uint8Array = new Uint8Array();
  let last = before;
  try {
    for await (const chunk of bytes) {
      line += lineFeedsIn(last);
      before = cutCharacter(last);
      last = chunk;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    line += damagedLine(Buffer.concat([before, last])) - 1;
    const message = `${file}, line ${line}: its bytes are not UTF-8 text. Save the file as UTF-8 and upload it again.`;
    throw new GnnError("DATASET_FORMAT_INVALID", message, { cause, place: { file, line } });
  }
}
