import { GnnError } from "../../errors/gnn-error.ts";
import { fileKindOf } from "../file-kind.ts";
import { arraysBeside, observationsOf, tablesOf } from "../hdf5/find-tables.ts";
import { type Hdf5File, openHdf5 } from "../hdf5/hdf5-file.ts";
import type { Hdf5Array } from "../hdf5/hdf5-messages.ts";
import { type NamedArray, namesOf } from "../hdf5/hdf5-names.ts";
import type { Hdf5Table } from "../hdf5/hdf5-table.ts";
import { tableRows } from "../hdf5/table-rows.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";
import { hdf5Member } from "./hdf5-member.ts";
import { hasRows, writeTables } from "./hdf5-table-files.ts";
import { namedMatrices } from "./mat-graph.ts";
import { isOfMatlab, matlabContents } from "./mat-hdf5.ts";
import { NpyMember } from "./npy-member.ts";
import type { NamedArrays, NodeTable } from "./numpy-arrays.ts";
import { holdEdges } from "./numpy-edges.ts";
import { arraysBundle, writeFeaturesAlone } from "./numpy-graph.ts";

/** The graph in an HDF5 file: of arrays by their names, of tables, or of both; null: the file is none. */
export async function hdf5Bundle({ name, path }: UploadedFile): Promise<Bundle | null> {
  if ((await fileKindOf(path)).kind !== "hdf5") return null;
  return { anchor: name, sources: new Map([["arrays", name]]), write: writeGraph };
}

async function writeGraph(context: BundleContext): Promise<WrittenBundle> {
  const { open, limits, check } = context;
  const uploaded = (await open("arrays"))!;
  const file = await openHdf5(uploaded, limits);
  const { name } = uploaded;
  const writeArrays = (found: () => Promise<NamedArrays>) => arraysBundle(name, new Map(), found).write(context);
  try {
    if (isOfMatlab(file)) return await writeArrays(() => matrices(name, file, limits, check));
    const tables = tablesOf(file);
    const arrays = namedArrays(name, file, tables, () => check(name));
    const hasEdges = holdEdges(arrays.names);
    if (!hasEdges && !tables.some(hasRows)) throw noEdges(name, file);
    const graph = await (hasEdges ? writeArrays(async () => arrays) : writeFeaturesAlone(context, arrays));
    if (hasEdges && arrays.nodes) return { ...graph, notes: [...graph.notes, ...furtherTables(tables)] };
    const others = await writeTables(context, name, file, tables);
    const ordered = hasEdges ? [graph, others] : [others, graph];
    return { tables: ordered.flatMap((one) => one.tables), notes: ordered.flatMap((one) => one.notes) };
  } finally {
    await file.close();
  }
}

function namedArrays(name: string, file: Hdf5File, tables: readonly Hdf5Table[], check: () => void): NamedArrays {
  const single = arraysBeside(tables, file);
  const named = namesOf(single, file.groups);
  const memberOf = (array: string) => hdf5Member(file, array, named.get(array)!, check);
  const observed = observationsOf(tables, file);
  return {
    names: [...named.keys()],
    open: (array) => NpyMember.open(memberOf(array), name),
    memberOf,
    untaken: (taken) => untakenOf(single, named, taken),
    close: () => {},
    ...(observed && { nodes: nodeTable(file, observed) }),
  };
}

/** What AnnData has beside its observations and what it knows of their features, as a note */
function furtherTables(tables: readonly Hdf5Table[]): string[] {
  const others = tables.filter(({ path }) => path !== "obs" && !/(^|\/)var$/.test(path)).map(({ path }) => path);
  if (others.length === 0) return [];
  const are = others.length === 1 ? `the table ${others[0]} is` : `the tables ${others.join(", ")} are`;
  return [`${are} left out: of AnnData's tables obs alone tells of nodes.`];
}

/** A table whose first column names the nodes. */
function nodeTable(file: Hdf5File, table: Hdf5Table): NodeTable {
  const { path, numRows, columns, notes } = table;
  return {
    path,
    numRows,
    columns: columns.map(({ name }) => name),
    notes,
    rows: (most) => tableRows(file, table, most),
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
    "edge_index or edges, src and dst, or an adjacency matrix (adj/indptr, adj/indices, adj/data), each once, or a table";
  const lines =
    'Write the edges as such a data set, h5py.File(path, "a")["edge_index"] = numpy.stack((src, dst)), ' +
    'or as a table, df.to_hdf(path, "edges", format="table")';
  const message = `${file} is an HDF5 file of ${groups.length} groups without edges by a name that is known: it has ${found}; expected ${expected}. ${lines}`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function inWords({ path, descr, shape, objection }: Hdf5Array): string {
  return objection === null ? `${path} (${[...shape, descr].join(" × ")})` : `${path} (${objection})`;
}
