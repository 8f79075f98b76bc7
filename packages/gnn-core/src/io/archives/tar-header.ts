export const tarBlock = 512;

/** What a block says of the member behind it. */
export interface TarHeader {
  readonly name: string;
  /** NaN: the field is damaged */
  readonly size: number;
  /** `0`: a file; `5`: a folder; `1` and `2`: links; `x`, `g`, `L`, `K`: what is said of the next member */
  readonly type: string;
  readonly linkName: string;
}

const sumAt = 148;
const sumLength = 8;

/**
 * The fields of a header, as POSIX.1-1988 (ustar), GNU and version 7 have them; null: its checksum is another.
 *
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export function tarHeader(block: Buffer): TarHeader | null {
  if (block.length < tarBlock || !hasItsSum(block)) return null;
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textAt(block, 345, 155) : "";
  const name = textAt(block, 0, 100);
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    size: numberAt(block, 124, 12),
    type: block[156] === 0 ? "0" : String.fromCharCode(block[156]!),
    linkName: textAt(block, 157, 100),
  };
}

/** The sum of its bytes, the field of the sum taken for blanks. Some programs summed bytes with a sign. */
function hasItsSum(block: Buffer): boolean {
  const said = numberAt(block, sumAt, sumLength);
  let plain = 0;
  let signed = 0;
  for (let at = 0; at < tarBlock; at++) {
    const byte = at >= sumAt && at < sumAt + sumLength ? 0x20 : block[at]!;
    plain += byte;
    signed += (byte << 24) >> 24;
  }
  return said === plain || said === signed;
}

/** Octal digits, or since they end at 8 GiB, the bytes of the number behind a first one of 128. */
function numberAt(block: Buffer, at: number, length: number): number {
  if (block[at] === 0x80) {
    let value = 0;
    for (let i = at + 1; i < at + length; i++) value = value * 256 + block[i]!;
    return Number.isSafeInteger(value) ? value : Number.NaN;
  }
  const digits = block
    .toString("latin1", at, at + length)
    .replace(/\0.*$/s, "")
    .trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function textAt(block: Buffer, at: number, length: number): string {
  const end = block.indexOf(0, at);
  return tarText(block.subarray(at, end < 0 || end > at + length ? at + length : end));
}

/** Names are UTF-8 today, and were in the alphabet of whoever packed. */
export function tarText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** `20 path=edges.csv\n…`, what an extended header of POSIX.1-2001 says; null: it is damaged. */
export function paxRecords(bytes: Buffer): ReadonlyMap<string, string> | null {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const digits = blank < 0 ? "" : bytes.toString("latin1", at, blank);
    const end = at + (/^\d{1,8}$/.test(digits) ? Number(digits) : 0);
    if (end <= blank || end > bytes.length || bytes[end - 1] !== 0x0a) return null;
    const record = bytes.subarray(blank + 1, end - 1);
    const sign = record.indexOf(0x3d);
    if (sign < 1) return null;
    records.set(record.toString("latin1", 0, sign), tarText(record.subarray(sign + 1)));
    at = end;
  }
  return records;
}
