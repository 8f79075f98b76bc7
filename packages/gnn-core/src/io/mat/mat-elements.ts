/** What is not as MATLAB writes it, in words. */
export class MatDamage extends Error {}

/** Types of data elements: MAT-File Format, MathWorks, table 1-1. */
export const elementTypes = { matrix: 14, compressed: 15 } as const;

const numbersOf: Record<number, { readonly bytes: number; readonly read: (view: DataView, at: number) => number }> = {
  1: { bytes: 1, read: (view, at) => view.getInt8(at) },
  2: { bytes: 1, read: (view, at) => view.getUint8(at) },
  3: { bytes: 2, read: (view, at) => view.getInt16(at, isLittle(view)) },
  4: { bytes: 2, read: (view, at) => view.getUint16(at, isLittle(view)) },
  5: { bytes: 4, read: (view, at) => view.getInt32(at, isLittle(view)) },
  6: { bytes: 4, read: (view, at) => view.getUint32(at, isLittle(view)) },
  7: { bytes: 4, read: (view, at) => view.getFloat32(at, isLittle(view)) },
  9: { bytes: 8, read: (view, at) => view.getFloat64(at, isLittle(view)) },
  12: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, isLittle(view))) },
  13: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, isLittle(view))) },
};

const bigViews = new WeakSet<DataView>();
const isLittle = (view: DataView) => !bigViews.has(view);

/** One data element: its type, and its bytes without tag and padding */
export interface MatElement {
  readonly type: number;
  readonly view: DataView;
}

/** A view of bytes, whose numbers are in the order of the file. */
export function viewOf(bytes: Uint8Array, isBigEndian: boolean): DataView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isBigEndian) bigViews.add(view);
  return view;
}

/**
 * The data elements that lie one after another, each behind a tag of 8 bytes, or within one if it has 4 bytes at most.
 *
 * @throws MatDamage when one reaches beyond the end
 */
export function* elementsOf(view: DataView): Generator<MatElement> {
  for (let at = 0; at + 8 <= view.byteLength; ) {
    const word = view.getUint32(at, isLittle(view));
    const small = word >>> 16;
    const type = small > 0 ? word & 0xffff : word;
    const bytes = small > 0 ? small : view.getUint32(at + 4, isLittle(view));
    const from = small > 0 ? at + 4 : at + 8;
    if (small > 4 || from + bytes > view.byteLength)
      throw new MatDamage("a variable reaches beyond the end of the file");
    yield { type, view: part(view, from, bytes) };
    const isPadded = small === 0 && type !== elementTypes.compressed;
    at = small > 0 ? at + 8 : from + (isPadded ? Math.ceil(bytes / 8) * 8 : bytes);
  }
}

function part(view: DataView, from: number, bytes: number): DataView {
  const found = new DataView(view.buffer, view.byteOffset + from, bytes);
  if (bigViews.has(view)) bigViews.add(found);
  return found;
}

/** How many numbers an element holds. @throws MatDamage of an element that holds none */
export function countOf({ type, view }: MatElement): number {
  const numbers = numbersOf[type];
  if (!numbers) throw new MatDamage(`an array has elements of the type ${type}, which holds no numbers`);
  return Math.floor(view.byteLength / numbers.bytes);
}

/** The numbers of an element, whatever type they are stored in. @throws MatDamage of an element that holds none */
export function readNumbers(element: MatElement): Float64Array {
  const values = new Float64Array(countOf(element));
  const { bytes, read } = numbersOf[element.type]!;
  for (let i = 0; i < values.length; i++) values[i] = read(element.view, i * bytes);
  return values;
}

/** The text of an element of bytes */
export function readText({ view }: MatElement): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString("latin1");
}
