import { attributesOf } from "./hdf5-attributes.ts";
import type { Hdf5Library, Hdf5Metadata } from "./hdf5-library.ts";
import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";
import { descrOf, fieldsOf } from "./hdf5-types.ts";

/** A file may name a thing for each of its bytes. */
const mostThings = 10_000;
/** What the library reads at once, unpacked; h5py's own chunks have at most 1 MiB. */
const mostChunkBytes = 128 * 2 ** 20;

/** What pandas, PyTables and AnnData say of their tables */
const speaksOfTables =
  /^(CLASS|pandas_type|name|kind|value_type|index_kind|_index|column-order|encoding-type|.+_(kind|meta|dtype))$/;
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

const isOfTable = (name: string) => speaksOfTables.test(name);

function unreadable(path: string, objection: string): Hdf5Array {
  return {
    path,
    descr: "|V0",
    itemBytes: 0,
    shape: [],
    chunks: null,
    objection,
    matlab: null,
    fields: null,
    attributes: {},
  };
}

function arrayOf(library: Hdf5Library, file: bigint, path: string): Hdf5Array {
  try {
    const metadata = library.get_dataset_metadata(file, path);
    const { shape, chunks, size } = metadata;
    const objection = objectionOf(metadata, library.get_dataset_filters(file, path));
    const { numbers, text, texts } = attributesOf(library, file, path);
    const isEmpty = (numbers("MATLAB_empty")?.[0] ?? 0) !== 0;
    const matlab = isEmpty ? "empty" : text("MATLAB_class") || null;
    const type = { descr: descrOf(metadata), itemBytes: size, fields: fieldsOf(metadata) };
    return { path, ...type, shape: shape ?? [], chunks, objection, matlab, attributes: texts(isOfTable) };
  } catch {
    return unreadable(path, "what it says of itself is not understood, or it lies in another file");
  }
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
  const { numbers, text, texts } = attributesOf(library, file, path);
  const format = /^cs[rc]/.exec(text("encoding-type") || text("h5sparse_format") || text("format"))?.[0];
  return {
    path,
    shape: numbers("shape") ?? numbers("h5sparse_shape"),
    sparse: format === "csr" || format === "csc" ? format : null,
    matlab: text("MATLAB_class") || null,
    matlabRows: numbers("MATLAB_sparse")?.[0] ?? null,
    attributes: texts(isOfTable),
  };
}
