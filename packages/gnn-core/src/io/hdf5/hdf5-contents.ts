import type { Hdf5Library, Hdf5Metadata } from "./hdf5-library.ts";
import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";

/** A file may name a thing for each of its bytes. */
const mostThings = 10_000;
/** What the library reads at once, unpacked; h5py's own chunks have at most 1 MiB. */
const mostChunkBytes = 128 * 2 ** 20;

const classes = { integer: 0, float: 1, text: 3, enumeration: 8 };
/** deflate, shuffle, fletcher32, scale and offset: what the library has without plug-ins */
const knownFilters = new Set([1, 2, 3, 6]);

/** All that lies in a file. @throws Error */
export function contentsOf(library: Hdf5Library, file: bigint) {
  const names = library.get_names(file, "/", true);
  if (names.length > mostThings) throw new Error(`more than ${mostThings} groups and data sets`);
  const arrays: Hdf5Array[] = [];
  const groups: Hdf5Group[] = [groupOf(library, file, "/")];
  for (const path of names) {
    const type = library.get_type(file, path);
    if (type === library.H5G_DATASET) arrays.push(arrayOf(library, file, path));
    else if (type === library.H5G_GROUP) groups.push(groupOf(library, file, path));
    else if (type !== library.H5G_TYPE) arrays.push(unreadable(path, "it is a link to another file, or to nothing"));
  }
  return { arrays, groups };
}

function unreadable(path: string, objection: string): Hdf5Array {
  return { path, descr: "|V0", itemBytes: 0, shape: [], chunks: null, objection, matlab: null };
}

function arrayOf(library: Hdf5Library, file: bigint, path: string): Hdf5Array {
  try {
    const metadata = library.get_dataset_metadata(file, path);
    const { shape, chunks, size } = metadata;
    const objection = objectionOf(metadata, library.get_dataset_filters(file, path));
    const { numbers, text } = attributesOf(library, file, path);
    const isEmpty = (numbers("MATLAB_empty")?.[0] ?? 0) !== 0;
    const matlab = isEmpty ? "empty" : text("MATLAB_class") || null;
    return { path, descr: descrOf(metadata), itemBytes: size, shape: shape ?? [], chunks, objection, matlab };
  } catch {
    return unreadable(path, "what it says of itself is not understood, or it lies in another file");
  }
}

/** numpy's letters for the type, in the order of bytes in which the library gives the elements. */
function descrOf({ type, size, signed, vlen, enum_type: names }: Hdf5Metadata): string {
  const order = size === 1 ? "|" : "<";
  if (type === classes.integer) return `${order}${signed ? "i" : "u"}${size}`;
  if (type === classes.float) return `${order}f${size}`;
  if (type === classes.enumeration && names?.type === classes.integer) {
    const isBoolean = size === 1 && names.members["FALSE"] === 0 && names.members["TRUE"] === 1;
    return isBoolean ? "|b1" : `${order}${signed ? "i" : "u"}${size}`;
  }
  if (type === classes.text) return vlen ? "|O" : `|S${size}`;
  return `|V${size}`;
}

function objectionOf(
  { shape, chunks, size, virtual_sources: sources }: Hdf5Metadata,
  filters: readonly { id: number; name: string }[],
) {
  // Where such a file is not there the library gives zeros.
  if (sources) return "it is put together of other data sets (a virtual data set)";
  if (shape === null) return "it has no elements";
  const unknown = filters.filter(({ id }) => !knownFilters.has(id));
  if (unknown.length > 0)
    return `it is packed with ${unknown.map(({ id, name }) => name || `filter ${id}`).join(", ")}`;
  const chunkBytes = chunks ? chunks.reduce((product, one) => product * one, size) : 0;
  if (chunkBytes > mostChunkBytes) return `one chunk of it has ${chunkBytes} bytes, expected at most ${mostChunkBytes}`;
  return null;
}

function groupOf(library: Hdf5Library, file: bigint, path: string): Hdf5Group {
  const { numbers, text } = attributesOf(library, file, path);
  const format = /^cs[rc]/.exec(text("encoding-type") || text("h5sparse_format") || text("format"))?.[0];
  return {
    path,
    shape: numbers("shape") ?? numbers("h5sparse_shape"),
    sparse: format === "csr" || format === "csc" ? format : null,
    matlab: text("MATLAB_class") || null,
    matlabRows: numbers("MATLAB_sparse")?.[0] ?? null,
  };
}

function attributesOf(library: Hdf5Library, file: bigint, path: string) {
  const names = library.get_attribute_names(file, path);
  const has = (name: string) => names.includes(name);
  return {
    numbers: (name: string) => (has(name) ? attributeNumbers(library, file, path, name) : null),
    text: (name: string) => (has(name) ? attributeText(library, file, path, name) : ""),
  };
}

const mostAttributeBytes = 4096;

function attributeBytes(library: Hdf5Library, file: bigint, path: string, name: string, bytes: number) {
  if (bytes === 0 || bytes > mostAttributeBytes) return null;
  const at = library._malloc(bytes);
  try {
    if (library.get_attribute_data(file, path, name, BigInt(at)) < 0) return null;
    return { at, bytes: Buffer.from(library.HEAPU8.slice(at, at + bytes)) };
  } finally {
    library._free(at);
  }
}

/** Whole numbers; null: it has others, or none. */
function attributeNumbers(library: Hdf5Library, file: bigint, path: string, name: string): number[] | null {
  const { type, size, total_size: length, signed } = library.get_attribute_metadata(file, path, name);
  if (type !== classes.integer || ![1, 2, 4, 8].includes(size)) return null;
  const found = attributeBytes(library, file, path, name, size * length)?.bytes;
  if (!found) return null;
  return Array.from({ length }, (_, i) => {
    if (size === 8) return Number(signed ? found.readBigInt64LE(8 * i) : found.readBigUInt64LE(8 * i));
    return signed ? found.readIntLE(size * i, size) : found.readUIntLE(size * i, size);
  });
}

/** The one text of an attribute; empty: it has none. */
function attributeText(library: Hdf5Library, file: bigint, path: string, name: string): string {
  const { type, size, total_size: length, vlen } = library.get_attribute_metadata(file, path, name);
  if (type !== classes.text || length !== 1) return "";
  const found = attributeBytes(library, file, path, name, size)?.bytes;
  if (!found) return "";
  if (!vlen) return untilZero(found);
  const at = found.readUInt32LE(0);
  return untilZero(Buffer.from(library.HEAPU8.slice(at, at + mostAttributeBytes)));
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end === -1 ? bytes.length : end);
}
