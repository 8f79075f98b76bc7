import { File, type Group, ready } from "h5wasm";

type Numbers =
  | Float64Array
  | Float32Array
  | Uint16Array
  | BigInt64Array
  | Int32Array
  | Int8Array
  | Uint8Array
  | BigUint64Array;

/** A data set as h5py writes it. */
export interface DataSet {
  readonly data: Numbers | readonly string[];
  readonly shape: readonly number[];
  readonly chunks?: readonly number[];
  readonly gzip?: number;
}

export interface Hdf5Contents {
  /** By their paths; groups are made */
  /** The oldest form of each part, as h5py writes by default, or the newest */
  readonly libver?: "earliest" | "latest";
  readonly dataSets: Readonly<Record<string, DataSet>>;
  /** Attributes by the group or the data set, and by their names */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, string | BigInt64Array | BigUint64Array>>>>;
  /** Links to other files, by their paths */
  readonly links?: Readonly<Record<string, readonly [file: string, path: string]>>;
}

let written = 0;

/** An HDF5 file that h5wasm writes: the C library of HDF5, as h5py has it. */
export async function hdf5File(contents: Hdf5Contents): Promise<Uint8Array> {
  const { dataSets, attributes = {}, links = {}, libver = "earliest" } = contents;
  const { FS } = await ready;
  const name = `written-${written++}.h5`;
  const file = new File(name, "w", { libver: [libver, "latest"] });
  for (const [path, { data, shape, chunks, gzip }] of Object.entries(dataSets)) {
    makeGroups(file, path);
    file.create_dataset({
      name: path,
      data: data as Numbers,
      shape: [...shape],
      ...(chunks ? { chunks: [...chunks] } : {}),
      ...(gzip === undefined ? {} : { compression: gzip }),
    });
  }
  for (const [path, values] of Object.entries(attributes)) {
    if (!file.get(path)) makeGroups(file, `${path}/`);
    for (const [key, value] of Object.entries(values)) (file.get(path) as Group).create_attribute(key, value);
  }
  for (const [path, [other, target]] of Object.entries(links)) file.create_external_link(other, target, path);
  file.flush();
  file.close();
  const bytes = Uint8Array.from(FS.readFile(name));
  FS.unlink(name);
  return bytes;
}

function makeGroups(file: File, path: string): void {
  const parts = path.split("/").slice(0, -1);
  for (const [i] of parts.entries()) {
    const group = parts.slice(0, i + 1).join("/");
    if (group !== "" && !file.get(group)) file.create_group(group);
  }
}
