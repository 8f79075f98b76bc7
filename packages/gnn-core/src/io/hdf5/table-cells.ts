import type { Hdf5Cells, TimeUnit } from "./hdf5-table.ts";

/** A value as JSON has it; null: there is none. */
export type CellValue = string | number | boolean | null | readonly CellValue[];

/** Rows of a data set as they were read. */
export interface ReadRows {
  readonly bytes: Buffer;
  readonly view: DataView;
  readonly texts: readonly string[];
  readonly rowBytes: number;
  /** Where in a row texts of any length are told, ascending */
  readonly textOffsets: readonly number[];
}

type OneValue = (rows: ReadRows, row: number, offset: number) => CellValue;

/** What reads the value in a row, counted from the first that was read. */
export function cellReader({
  descr,
  offset,
  itemBytes,
  length,
}: Hdf5Cells): (rows: ReadRows, row: number) => CellValue {
  const one = valueReader(descr);
  if (length === null) return (rows, row) => one(rows, row, offset);
  return (rows, row) => Array.from({ length }, (_, i) => one(rows, row, offset + i * itemBytes));
}

function valueReader(descr: string): OneValue {
  const [, order, kind, width] = /^([<>|]?)([a-zA-Z])(\d*)$/.exec(descr) ?? [];
  if (kind === "O") return anyText;
  if (kind === "S") return textOf(Number(width));
  const isLittle = order !== ">";
  const read = numberReaders[`${kind}${width}`];
  if (!read) throw new TypeError(`no values are of the type ${descr}`);
  return ({ view, rowBytes }, row, offset) => read(view, row * rowBytes + offset, isLittle);
}

const anyText: OneValue = ({ texts, textOffsets }, row, offset) =>
  texts[row * textOffsets.length + textOffsets.indexOf(offset)]!;

function textOf(width: number): OneValue {
  return ({ bytes, rowBytes }, row, offset) => {
    const start = row * rowBytes + offset;
    const end = bytes.indexOf(0, start);
    const last = end === -1 || end > start + width ? start + width : end;
    return bytes.toString("utf8", start, last);
  };
}

type NumberReader = (view: DataView, at: number, isLittle: boolean) => CellValue;

const numberReaders: Readonly<Record<string, NumberReader>> = {
  b1: (view, at) => view.getUint8(at) !== 0,
  i1: (view, at) => view.getInt8(at),
  u1: (view, at) => view.getUint8(at),
  i2: (view, at, little) => view.getInt16(at, little),
  u2: (view, at, little) => view.getUint16(at, little),
  i4: (view, at, little) => view.getInt32(at, little),
  u4: (view, at, little) => view.getUint32(at, little),
  i8: (view, at, little) => whole(view.getBigInt64(at, little)),
  u8: (view, at, little) => whole(view.getBigUint64(at, little)),
  f2: (view, at, little) => finite(halfOf(view.getUint16(at, little))),
  f4: (view, at, little) => finite(view.getFloat32(at, little)),
  f8: (view, at, little) => finite(view.getFloat64(at, little)),
};

/** Readers of JSON keep 53 bits of a whole number: what has more is a text. */
function whole(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** IEEE 754 binary16: a sign, 5 bits of the exponent, 10 of the fraction */
function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const perSecond: Readonly<Record<TimeUnit, bigint>> = { s: 1n, ms: 1000n, us: 1_000_000n, ns: 1_000_000_000n };
const noTime = -(2n ** 63n);
/** What a date of ECMAScript can be */
const mostSeconds = 8_640_000_000_000n;

/** A time of numpy as ISO 8601 writes it, to the millisecond; null: it is none (NaT), or too far away. */
export function timeOf(value: CellValue, unit: TimeUnit): string | null {
  if (typeof value !== "number" && typeof value !== "string") return null;
  const count = BigInt(value);
  const seconds = count / perSecond[unit];
  if (count === noTime || seconds > mostSeconds || seconds < -mostSeconds) return null;
  return new Date(Number((count * 1000n) / perSecond[unit])).toISOString();
}
