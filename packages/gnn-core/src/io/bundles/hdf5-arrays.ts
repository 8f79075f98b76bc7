import { GnnError } from "../../errors/gnn-error.ts";
import { fileKindOf } from "../file-kind.ts";
import { type Hdf5File, openHdf5 } from "../hdf5/hdf5-file.ts";
import type { Hdf5Array } from "../hdf5/hdf5-messages.ts";
import { type NamedArray, namesOf } from "../hdf5/hdf5-names.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext } from "./bundle.ts";
import { hdf5Member } from "./hdf5-member.ts";
import { namedMatrices } from "./mat-graph.ts";
import { isOfMatlab, matlabContents } from "./mat-hdf5.ts";
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
  if (isOfMatlab(file)) return matrices(uploaded.name, file, limits, check);
  const named = namesOf(file.arrays, file.groups);
  const names = [...named.keys()];
  if (!holdEdges(names)) {
    await file.close();
    throw noEdges(uploaded.name, file);
  }
  const memberOf = (name: string) => hdf5Member(file, name, named.get(name)!, () => check(uploaded.name));
  return {
    names,
    open: (name) => NpyMember.open(memberOf(name), uploaded.name),
    memberOf,
    untaken: (taken) => untakenOf(file.arrays, named, taken),
    close: () => void file.close(),
  };
}

/** The graph in a MAT-file of version 7.3, which is held once its matrices have been read. */
async function matrices(
  name: string,
  file: Hdf5File,
  limits: ReadingLimits,
  check: BundleContext["check"],
): Promise<NamedArrays> {
  try {
    return await namedMatrices(
      name,
      matlabContents(name, file, limits, () => check(name)),
    );
  } finally {
    await file.close();
  }
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
