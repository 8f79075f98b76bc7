import { GnnError } from "../../errors/gnn-error.ts";
import type { ArchiveMember } from "../archives/archive.ts";
import { fileKindOf } from "../file-kind.ts";
import { type Hdf5File, openHdf5 } from "../hdf5/hdf5-file.ts";
import type { Hdf5Array } from "../hdf5/hdf5-messages.ts";
import { type NamedArray, namesOf } from "../hdf5/hdf5-names.ts";
import { formatNpyHeader, formatNpyHeaderOf } from "../npy-header.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext } from "./bundle.ts";
import { madeMember } from "./made-member.ts";
import { NpyMember } from "./npy-member.ts";
import type { NamedArrays } from "./numpy-arrays.ts";
import { holdEdges } from "./numpy-edges.ts";
import { arraysBundle } from "./numpy-graph.ts";

/** The graph in an HDF5 file; null: the file is none. */
export async function hdf5Bundle({ name, path }: UploadedFile): Promise<Bundle | null> {
  if ((await fileKindOf(path)).kind !== "hdf5") return null;
  return arraysBundle(name, new Map([["arrays", name]]), openArrays);
}

async function openArrays({ open, limits, check }: BundleContext): Promise<NamedArrays> {
  const uploaded = (await open("arrays"))!;
  const file = await openHdf5(uploaded, limits);
  const named = namesOf(file.arrays, file.groups);
  const names = [...named.keys()];
  if (!holdEdges(names)) {
    await file.close();
    throw noEdges(uploaded.name, file);
  }
  const memberOf = (name: string) => asMember(file, name, named.get(name)!, () => check(uploaded.name));
  return {
    names,
    open: (name) => NpyMember.open(memberOf(name), uploaded.name),
    memberOf,
    untaken: (taken) => untakenOf(file.arrays, named, taken),
    close: () => void file.close(),
  };
}

/** The data sets of which nothing was taken, by any of their names */
function untakenOf(
  arrays: readonly Hdf5Array[],
  named: ReadonlyMap<string, NamedArray>,
  taken: ReadonlySet<string>,
): string[] {
  const read = new Set<Hdf5Array>();
  for (const [name, array] of named) if (taken.has(name) && "dataSet" in array) read.add(array.dataSet);
  return arrays.filter((array) => !read.has(array)).map(({ path }) => path);
}

/** An array as a file of numpy.save, made while it is read. */
function asMember(file: Hdf5File, name: string, array: NamedArray, check: () => void): ArchiveMember {
  const [header, data, dataBytes] = partsOf(file, array);
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    if ("dataSet" in array) file.check(array.dataSet);
    yield Buffer.from(header);
    for await (const piece of data()) {
      check();
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
  return madeMember("dataSet" in array ? array.dataSet.path : name, header.length + dataBytes, read);
}

type Pieces = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

function partsOf(file: Hdf5File, array: NamedArray): [header: Uint8Array, data: Pieces, dataBytes: number] {
  if ("numbers" in array) {
    const { numbers } = array;
    const bytes = new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer);
    return [formatNpyHeader("int64", [numbers.length]), () => [bytes], bytes.length];
  }
  if ("text" in array) {
    const bytes = Buffer.from(array.text);
    return [formatNpyHeaderOf(`|S${bytes.length}`, []), () => [bytes], bytes.length];
  }
  const { descr, shape, itemBytes } = array.dataSet;
  const dataBytes = shape.reduce((product, one) => product * one, itemBytes);
  return [formatNpyHeaderOf(descr, shape), () => file.read(array.dataSet), dataBytes];
}

const mostListed = 20;

function noEdges(file: string, { arrays, groups }: Hdf5File): GnnError {
  const listed = arrays.slice(0, mostListed).map(inWords).join(", ");
  const found = arrays.length === 0 ? "no arrays" : `${listed}${arrays.length > mostListed ? " and more" : ""}`;
  const expected =
    "edge_index or edges, src and dst, or an adjacency matrix (adj/indptr, adj/indices, adj/data), each once";
  const lines =
    'Write the edges as such a data set, h5py.File(path, "a")["edge_index"] = numpy.stack((src, dst)), ' +
    'or tables of pandas as Parquet, pandas.read_hdf(path, key).to_parquet("edges.parquet")';
  const message = `${file} is an HDF5 file of ${groups.length} groups without edges by a name that is known: it has ${found}; expected ${expected}. ${lines}`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function inWords({ path, descr, shape, objection }: Hdf5Array): string {
  return objection === null ? `${path} (${[...shape, descr].join(" × ")})` : `${path} (${objection})`;
}
