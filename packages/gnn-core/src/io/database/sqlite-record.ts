import type { SqlitePages } from "./sqlite-pages.ts";
import { readVarint } from "./sqlite-pages.ts";

/** A value of a row. */
export interface SqliteValue {
  readonly kind: "null" | "integer" | "real" | "text" | "bytes";
  /** Numbers and texts as they are written */
  readonly text: string;
}

/**
 * The values of a row, in the order of the table's columns; those of columns that were added later are not there.
 *
 * @throws GnnError DATASET_FORMAT_INVALID
 */
export function recordOf(payload: Buffer, pages: SqlitePages): SqliteValue[] {
  const header = readVarint(payload, 0);
  if (!header || header.value < 1n || Number(header.value) > payload.length) throw pages.damaged("a row has no header");
  const types: number[] = [];
  let at = header.end;
  while (at < Number(header.value)) {
    const type = readVarint(payload, at);
    if (!type || type.value < 0n) throw pages.damaged("the header of a row is cut off");
    types.push(Number(type.value));
    at = type.end;
  }
  at = Number(header.value);
  return types.map((type) => {
    const size = sizeOf(type);
    if (at + size > payload.length) throw pages.damaged("a value is longer than its row");
    const value = valueOf(type, payload.subarray(at, at + size), pages);
    at += size;
    return value;
  });
}

const integerSizes = [0, 1, 2, 3, 4, 6, 8];

function sizeOf(type: number): number {
  if (type <= 6) return integerSizes[type]!;
  if (type === 7) return 8;
  return type < 12 ? 0 : Math.floor((type - 12) / 2);
}

const decoders = {
  "utf-8": new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }),
  "utf-16le": new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true }),
  "utf-16be": new TextDecoder("utf-16be", { fatal: true, ignoreBOM: true }),
};

function valueOf(type: number, bytes: Buffer, pages: SqlitePages): SqliteValue {
  if (type === 0 || type === 10 || type === 11) return { kind: "null", text: "" };
  if (type === 7) return { kind: "real", text: String(bytes.readDoubleBE(0)) };
  if (type === 8 || type === 9) return { kind: "integer", text: String(type - 8) };
  if (type === 6) return { kind: "integer", text: String(bytes.readBigInt64BE(0)) };
  if (type < 6) return { kind: "integer", text: String(bytes.readIntBE(0, bytes.length)) };
  if (type % 2 === 0) return { kind: "bytes", text: "" };
  try {
    return { kind: "text", text: decoders[pages.encoding].decode(bytes) };
  } catch {
    throw pages.damaged(`a text is not ${pages.encoding}`);
  }
}
