import { type Escape, hasQuotes } from "../dialect/dialect.ts";

/** Splits the beginning of a CSV text into records; a last one that may be cut off is left out. */
export function parseRecords(
  text: string,
  delimiter: string,
  limit: number,
  isWhole: boolean,
  escape: Escape = '"',
): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < limit) {
    const field = readField(text, at, delimiter, escape);
    if (field.end >= text.length && !isWhole) break;
    record.push(field.value);
    at = field.end;
    if (text.startsWith(delimiter, at)) {
      at += delimiter.length;
      if (at < text.length) continue;
      record.push("");
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  return records;
}

function readField(text: string, start: number, delimiter: string, escape: Escape): { value: string; end: number } {
  if (text[start] !== '"' || !hasQuotes(delimiter)) {
    const end = endOfPlainField(text, start, delimiter);
    return { value: text.slice(start, end), end };
  }
  if (escape === "\\") return readEscapedField(text, start);
  let value = "";
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

/** A quoted field in which a backslash stands before what it is to mean itself. */
function readEscapedField(text: string, start: number): { value: string; end: number } {
  let value = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return { value, end: at + 1 };
    if (text[at] === "\\" && at + 1 < text.length) at++;
    value += text[at]!;
  }
  return { value, end: text.length };
}

function endOfPlainField(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && !text.startsWith(delimiter, end) && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}
