/** How the numbers of a vector stand in a row: `[0.5,-1]` of pgvector, `{0.5,-1}` of real[], or a column for each. */
export type VectorForm = "vector" | "array" | "columns";

const newline = 0x0a;
const tab = 0x09;
const comma = 0x2c;
const [openBrace, closeBrace] = [0x7b, 0x7d];

/** Pieces of a text that end where lines do. */
export async function* wholeLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const all = Buffer.concat([rest, piece]);
    const end = all.lastIndexOf(newline) + 1;
    rest = all.subarray(end);
    if (end > 0) yield all.subarray(0, end);
  }
  if (rest.byteLength > 0) yield Buffer.from(rest);
}

/** How many lines end in a piece. */
export function countLines(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++;
  return lines;
}

/**
 * Whole lines of COPY's text format whose last column is a vector as pgvector writes it, in another form. Tabs stand
 * between columns alone, so the last one of a line is where the vector begins.
 *
 * @param lines  is changed
 */
export function inForm(lines: Buffer, form: VectorForm): Buffer {
  if (form === "vector") return lines;
  let to = 0;
  let start = 0;
  for (let end = lines.indexOf(newline); end >= 0; end = lines.indexOf(newline, start)) {
    const begin = lines.lastIndexOf(tab, end) + 1;
    if (form === "array") {
      lines[begin] = openBrace;
      lines[end - 1] = closeBrace;
    } else {
      // The brackets go, so that each line is written over the one before, two bytes closer to it.
      lines.copyWithin(to, start, begin);
      to += begin - start;
      for (let at = begin + 1; at < end - 1; at++) lines[to++] = lines[at] === comma ? tab : lines[at]!;
      lines[to++] = newline;
    }
    start = end + 1;
  }
  return form === "array" ? lines : lines.subarray(0, to);
}
