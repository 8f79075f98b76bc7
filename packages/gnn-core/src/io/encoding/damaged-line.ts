const lineFeed = 0x0a;

/** Line feeds among bytes. */
export function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/**
 * The first line, from 1, with bytes that are not UTF-8, in which no other character holds the byte of a line feed. A
 * character that the end cuts in two is not damaged.
 */
export function damagedLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found < 0 ? bytes.length : found + 1;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end), { stream: found < 0 });
    } catch {
      return line;
    }
    start = end;
  }
  return line;
}

/** The beginning of a character that the end of the bytes may have cut in two; empty where it has not. */
export function cutCharacter(bytes: Uint8Array): Uint8Array {
  const tail = bytes.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte >= 0xc0);
  return lead < 0 || tail.includes(lineFeed, lead) ? tail.subarray(tail.length) : tail.subarray(lead);
}
