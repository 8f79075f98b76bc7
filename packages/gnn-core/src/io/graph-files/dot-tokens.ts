import { damagedGraphFile } from "./damaged-graph-file.ts";

/** A word or a sign of DOT. What stands in quotes is a word, whatever it spells. */
export interface DotToken {
  readonly text: string;
  readonly isWord: boolean;
  readonly isQuoted: boolean;
  readonly line: number;
}

/** Blanks, comments and lines of the preprocessor, or one token that is not in quotes */
const pattern =
  /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\n)#[^\n]*)+|(->|--|[{}[\];,=:+])|(-?(?:\.\d+|\d+(?:\.\d*)?)(?![\w.])|[\p{L}_\u0080-\uffff][\p{L}\p{N}_\u0080-\uffff]*)/uy;

/** @throws GnnError DATASET_FORMAT_INVALID at what is neither */
export function* dotTokens(text: string, file: string): Generator<DotToken, void, undefined> {
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const end = endOfQuoted(text, at);
    if (end < 0) throw damagedGraphFile(file, line, `a ${text[at]} is opened and never closed.`);
    if (end > at) {
      const whole = text.slice(at, end);
      yield { text: whole.startsWith("<") ? whole : unquoted(whole), isWord: true, isQuoted: true, line };
      line += linesIn(whole);
      at = end;
      continue;
    }
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found)
      throw damagedGraphFile(file, line, `found "${text.slice(at, at + 30)}", expected a word or a sign of DOT.`);
    const [whole, sign, word] = found;
    if (sign !== undefined) yield { text: sign, isWord: false, isQuoted: false, line };
    if (word !== undefined) yield { text: word, isWord: true, isQuoted: false, line };
    line += linesIn(whole);
    at += whole.length;
  }
}

const linesIn = (text: string) => text.split("\n").length - 1;

/** A backslash before a quote or a line's end is none of the text. */
function unquoted(text: string): string {
  return text
    .slice(1, -1)
    .replaceAll(/\\(\r?\n)/g, "")
    .replaceAll('\\"', '"');
}

/** Where a text in quotes, or one of HTML, ends that begins here; here: none begins; −1: it does not end. */
function endOfQuoted(text: string, start: number): number {
  if (text[start] === '"') {
    let end = start + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
    return end < text.length ? end + 1 : -1;
  }
  if (text[start] !== "<") return start;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "<") depth++;
    if (text[at] === ">" && --depth === 0) return at + 1;
  }
  return -1;
}
