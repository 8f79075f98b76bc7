/** Splits the beginning of a CSV text into records; a last one that may be cut off is left out. */
export function parseRecords(text: string, delimiter: string, limit: number, isWhole: boolean): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length && records.length < limit) {
    const field = readField(text, at, delimiter);
    if (field.end >= text.length && !isWhole) break;
    record.push(field.value);
    at = field.end;
    if (text[at] === delimiter) {
      at++;
      if (at < text.length) continue;
      record.push("");
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    if (record.length > 1 || record[0] !== "") records.push(record);
    record = [];
  }
  return records;
}

function readField(text: string, start: number, delimiter: string): { value: string; end: number } {
  if (text[start] !== '"') {
    const end = endOfPlainField(text, start, delimiter);
    return { value: text.slice(start, end), end };
  }
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

function endOfPlainField(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}
