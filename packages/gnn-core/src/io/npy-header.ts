import { GnnError } from "../errors/gnn-error.ts";

/** Element types that artifacts use, by their manifest name. */
export const npyDtypes = {
  int64: { descr: "<i8", bytes: 8 },
  int32: { descr: "<i4", bytes: 4 },
  float32: { descr: "<f4", bytes: 4 },
  float16: { descr: "<f2", bytes: 2 },
  int8: { descr: "|i1", bytes: 1 },
  uint8: { descr: "|u1", bytes: 1 },
} as const;

export type NpyDtype = keyof typeof npyDtypes;

export interface NpyHeader {
  readonly dtype: NpyDtype;
  readonly shape: readonly number[];
  /** Byte at which the elements start; a multiple of 64 in files written by us. */
  readonly dataOffset: number;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]; // \x93NUMPY
const alignment = 64;
/** numpy writes a hundred; what follows is read as text. */
const maxHeaderBytes = 65_536;
const maxDimensions = 32;
const dtypeByDescr = new Map(Object.entries(npyDtypes).map(([name, { descr }]) => [descr as string, name as NpyDtype]));

/** Number of elements of an array of this shape. */
export function npyLength(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

export interface ForeignNpyHeader {
  /** numpy's own name of the element type, e.g. `<f8` */
  readonly descr: string;
  /** Whether the first index runs fastest (Fortran's order); of one dimension there is but one order */
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  readonly dataOffset: number;
}

/**
 * Reads the header of a `.npy` file, version 1 or 2, C order, little-endian.
 *
 * @param bytes the beginning of the file; 4,096 bytes are plenty for every array of ours
 * @throws GnnError DATASET_FORMAT_INVALID when it is not such a file or has an element type we do not use
 */
export function parseNpyHeader(bytes: Uint8Array, file: string): NpyHeader {
  const { descr, shape, isFortran, dataOffset } = parseForeignNpyHeader(bytes, file);
  if (isFortran) throw invalidNpy(file, "the array is in Fortran order");
  const dtype = dtypeByDescr.get(descr);
  if (!dtype) throw invalidNpy(file, `elements of type '${descr}'`);
  return { dtype, shape, dataOffset };
}

/**
 * Reads the header of a user's `.npy` file: any element type, byte order and order of indices.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when it is not a `.npy` file of version 1 to 3
 */
export function parseForeignNpyHeader(bytes: Uint8Array, file: string): ForeignNpyHeader {
  const invalid = (found: string) => invalidNpy(file, found);
  if (bytes.length < 10 || magic.some((byte, i) => bytes[i] !== byte)) throw invalid("it does not begin as .npy does");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const major = bytes[6];
  if (major !== 1 && major !== 2 && major !== 3) throw invalid(`.npy version ${major}`);
  const textOffset = major === 1 ? 10 : 12;
  const textLength = major === 1 ? view.getUint16(8, true) : bytes.length >= 12 ? view.getUint32(8, true) : Infinity;
  const dataOffset = textOffset + textLength;
  if (textLength > maxHeaderBytes && textLength < Infinity) throw invalid(`a header of ${textLength} bytes`);
  if (dataOffset > bytes.length) throw invalid("the header is cut off");
  return { ...parseHeaderText(new TextDecoder().decode(bytes.subarray(textOffset, dataOffset)), invalid), dataOffset };
}

function invalidNpy(file: string, found: string): GnnError {
  const message = `${file}: ${found}; expected a .npy file of numbers, as numpy.save writes it.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function parseHeaderText(text: string, invalid: (found: string) => GnnError) {
  const descr = /'descr':\s*'([^']*)'/.exec(text)?.[1];
  const order = /'fortran_order':\s*(True|False)/.exec(text)?.[1];
  const shapeText = /'shape':\s*\(([\d\s,L]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || shapeText === undefined) throw invalid("the header has no dict");
  const shape = [...shapeText.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  const fits = shape.length <= maxDimensions && [...shape, npyLength(shape)].every(Number.isSafeInteger);
  if (!fits) throw invalid(`shape (${shapeText})`);
  return { descr, shape, isFortran: order === "True" && shape.length > 1 };
}

/**
 * The header bytes of a version 1 `.npy` file, padded so that the elements start at a multiple of 64.
 *
 * @param minBytes room to keep for a longer header, when the number of rows is not yet known
 */
export function formatNpyHeader(dtype: NpyDtype, shape: readonly number[], minBytes = 0): Uint8Array {
  return formatNpyHeaderOf(npyDtypes[dtype].descr, shape, minBytes);
}

/** A header for any type of elements, by numpy's name of it. */
export function formatNpyHeaderOf(descr: string, shape: readonly number[], minBytes = 0): Uint8Array {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${tuple}), }`;
  const total = Math.ceil(Math.max(10 + dict.length + 1, minBytes) / alignment) * alignment;
  const header = new Uint8Array(total).fill(0x20);
  header.set(magic);
  header.set([1, 0], 6);
  new DataView(header.buffer).setUint16(8, total - 10, true);
  header.set(new TextEncoder().encode(dict), 10);
  header[total - 1] = 0x0a;
  return header;
}
