import { damagedGraphFile } from "./damaged-graph-file.ts";

export interface GmlToken {
  readonly kind: "open" | "close" | "word" | "text";
  readonly text: string;
  readonly line: number;
}

const blank = /(?:\s+|#[^\n\r]*(?=[\n\r]))+/y;
const token = /\[|\]|"[^"]*"|[^\s[\]"#][^\s[\]"]*/y;
/** A text that has not ended after so many characters never will. */
const maxText = 2 ** 20;

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'" };

/**
 * Brackets, texts between quotation marks (entities replaced), and words, which are names and numbers. A line that
 * begins with # is a comment.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when a text does not end
 */
export async function* gmlTokens(pieces: AsyncIterable<string>, file: string): AsyncIterable<GmlToken> {
  let rest = "";
  let line = 1;
  /** Takes what is whole: of a word at the end of a piece, more may come. */
  function* take(isLast: boolean): Iterable<GmlToken> {
    let at = 0;
    for (;;) {
      blank.lastIndex = at;
      const skipped = blank.exec(rest)?.[0] ?? "";
      line += numLines(skipped);
      at += skipped.length;
      token.lastIndex = at;
      const found = token.exec(rest)?.[0];
      if (found === undefined || (!isLast && at + found.length === rest.length)) break;
      yield tokenOf(found, line);
      line += numLines(found);
      at += found.length;
    }
    rest = rest.slice(at);
  }
  for await (const piece of pieces) {
    rest += piece;
    yield* take(false);
    if (rest.length > maxText + piece.length)
      throw damagedGraphFile(
        file,
        line,
        "a text or a comment that begins here does not end within a million characters.",
      );
  }
  rest += "\n";
  yield* take(true);
  if (rest.trim() !== "") throw damagedGraphFile(file, line, "the text that begins here has no end.");
}

function tokenOf(found: string, line: number): GmlToken {
  if (found === "[") return { kind: "open", text: found, line };
  if (found === "]") return { kind: "close", text: found, line };
  return found.startsWith('"')
    ? { kind: "text", text: plainText(found.slice(1, -1)), line }
    : { kind: "word", text: found, line };
}

function numLines(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function plainText(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
