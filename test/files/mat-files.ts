import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { type DataSet, hdf5File } from "../support/hdf5-file.ts";
import type { FileCase } from "./case.ts";

const fixture = (name: string) => readFileSync(new URL(`../fixtures/mat/${name}.mat`, import.meta.url));

const ids = ["0", "1", "2", "3", "4", "5"];
const path = { nodes: 6, edges: 5, ids, directed: false } as const;
const identity = ids.map((_, node) => [0, 1, 2, 3].map((column) => Number(column === node)));

/** An element of a file whose numbers begin with their highest byte, as old workstations wrote them */
function element(type: number, bytes: Buffer): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32BE(type, 0);
  tag.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([tag, bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

function bigEndian(name: string, rows: number, columns: number, byColumn: readonly number[]): Buffer {
  const header = Buffer.alloc(128, "MATLAB 5.0 MAT-file, Platform: SOL64");
  header.write("\x01\x00MI", 124, "latin1");
  const words = (...values: readonly number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, i) => bytes.writeInt32BE(value, 4 * i));
    return bytes;
  };
  const doubles = Buffer.alloc(8 * byColumn.length);
  byColumn.forEach((value, i) => doubles.writeDoubleBE(value, 8 * i));
  const parts = [
    element(6, words(6, 0)),
    element(5, words(rows, columns)),
    element(1, Buffer.from(name)),
    element(9, doubles),
  ];
  return Buffer.concat([header, element(14, Buffer.concat(parts))]);
}

/** A variable whose bytes are tags of nothing, packed */
function emptyParts(count: number): Buffer {
  const header = bigEndian("a", 1, 1, [1]).subarray(0, 128);
  const packed = deflateSync(element(14, Buffer.alloc(8 * count)));
  const tag = Buffer.alloc(8);
  tag.writeUInt32BE(15, 0);
  tag.writeUInt32BE(packed.length, 4);
  return Buffer.concat([header, tag, packed]);
}

/** Features of six nodes */
const sixRows = [
  [7, 0],
  [1, 2],
  [1, 7],
  [7, 5],
  [0, 0],
  [2, 3],
];

type Attributes = Readonly<Record<string, string | BigUint64Array>>;
interface Variable {
  readonly dataSets: Readonly<Record<string, DataSet>>;
  readonly attributes: Readonly<Record<string, Attributes>>;
}

/** A sparse matrix as version 7.3 has it: where columns begin, rows, and values; without entries the first alone */
function sparse73(path: string, numRows: number, columns: readonly (readonly number[])[]): Variable {
  const whole = (values: readonly number[]): DataSet => ({
    data: BigUint64Array.from(values, BigInt),
    shape: [values.length],
  });
  const rows = columns.flat();
  const begins = columns.reduce((at, column) => [...at, at.at(-1)! + column.length], [0]);
  const data = { data: Float64Array.from(rows, () => 1), shape: [rows.length] };
  return {
    dataSets: {
      [`${path}/jc`]: whole(begins),
      ...(rows.length > 0 && { [`${path}/ir`]: whole(rows), [`${path}/data`]: data }),
    },
    attributes: { [path]: { MATLAB_class: "double", MATLAB_sparse: BigUint64Array.of(BigInt(numRows)) } },
  };
}

/** Numbers column by column, whose sizes are written in the opposite order */
function dense73(
  path: string,
  data: DataSet["data"],
  [rows, columns]: readonly [number, number],
  kind = "double",
): Variable {
  return { dataSets: { [path]: { data, shape: [columns, rows] } }, attributes: { [path]: { MATLAB_class: kind } } };
}

/** Version 7.3: HDF5 behind a block of its own. */
async function version73(...variables: readonly Variable[]): Promise<Buffer> {
  const dataSets = Object.assign({}, ...variables.map((one) => one.dataSets));
  const attributes = Object.assign({}, ...variables.map((one) => one.attributes));
  return Buffer.concat([
    Buffer.alloc(512, "MATLAB 7.3 MAT-file, Platform: GLNXA64 "),
    await hdf5File({ dataSets, attributes }),
  ]);
}

const pathColumns = [[1], [0, 2], [1, 3], [2, 4], [3, 5], [4]];
const text73 = dense73("note", Uint16Array.from([0x41, 0x42]), [1, 2], "char");
const deepwalk73 = await version73(
  sparse73("network", 6, pathColumns),
  sparse73("group", 6, [
    [0, 1, 5],
    [1, 3],
    [2, 4, 5],
  ]),
  text73,
  dense73("#refs#/a", Float64Array.of(7), [1, 1]),
);
/** What a cell holds has no name of its own: MATLAB calls it a, b, c … */
const inCells = await version73(
  sparse73("#refs#/a", 6, [[5], [], [], [], [], [0]]),
  sparse73("net", 6, pathColumns),
  dense73("networks", Uint8Array.of(1), [1, 1], "cell"),
);
const inStructure = await version73(
  sparse73("Problem/A", 6, pathColumns),
  dense73("Problem/X", Float64Array.from([0, 1].flatMap((column) => sixRows.map((row) => row[column]!))), [6, 2]),
  dense73("Problem/gnd", Uint8Array.of(2, 1, 2, 1, 2, 1), [6, 1], "uint8"),
  sparse73("Problem/nothing", 6, [[], [], [], [], [], []]),
);
const emptyBeside = await version73(dense73("adj", Uint8Array.of(0, 1, 0, 0, 0, 1, 1, 0, 0), [3, 3], "logical"), {
  dataSets: { label: { data: BigUint64Array.of(0n, 0n), shape: [2] } },
  attributes: { label: { MATLAB_class: "double", MATLAB_empty: BigUint64Array.of(1n) } },
});

/** Bytes of a file with one of them changed */
function damaged(name: string, at: number, byte: number): Buffer {
  const bytes = Buffer.from(fixture(name));
  bytes[at] = byte;
  return bytes;
}

function read(title: string, file: string | Buffer, graph: FileCase["graph"], warns: readonly RegExp[] = []): FileCase {
  return { title, files: { "g.mat": typeof file === "string" ? fixture(file) : file }, graph, warns };
}

function refusal(title: string, file: string | Buffer, message: RegExp): FileCase {
  return read(title, file, null, [message]);
}

/** Files of MATLAB, and of scipy.io.savemat */
export const matFileCases: readonly FileCase[] = [
  read("a sparse network, whose nodes are in several groups", "deepwalk", { ...path, classes: ["0", "1", "2"] }),
  read(
    "a fraud graph: sparse features, a label each, and relations beside the network of all",
    "yelp",
    { ...path, classes: ["0", "1"], rows: identity },
    [/the array net_rur is left out: what is read of a graph is called as adj, network or net for its edges, label/],
  ),
  read("a directed network with weights, which is not packed", "directed", {
    nodes: 3,
    edges: 3,
    directed: true,
    weighted: true,
  }),
  read(
    "matrices with their zeros, column by column",
    "dense",
    {
      ...path,
      classes: ["1", "2"],
      rows: sixRows,
    },
    [/the array note is left out/],
  ),
  read("a matrix in a structure, as the SuiteSparse collection has it", "suitesparse", path, [/name, id are left out/]),
  read(
    "version 7.3: a sparse network, whose nodes are in several groups",
    deepwalk73,
    { ...path, classes: ["0", "1", "2"] },
    [/the array note is left out: what is read of a graph is called as adj, network or net/],
  ),
  read(
    "version 7.3: features and labels in a structure, column by column, and a matrix without entries",
    inStructure,
    {
      ...path,
      classes: ["1", "2"],
      rows: sixRows,
    },
    [/the array nothing is left out/],
  ),
  read("version 7.3: a network beside a cell that holds another matrix", inCells, path, [/array networks is left out/]),
  read(
    "version 7.3: a directed matrix of true and false, and nothing under a name of labels",
    emptyBeside,
    { nodes: 3, edges: 3, directed: true, classes: [] },
    [/the array label is left out/],
  ),
  refusal(
    "version 7.3: an entry in a row beyond the last",
    await version73(sparse73("network", 3, [[1], [0, 3], [1]])),
    /damaged MATLAB file: the matrix network has an entry in a row that it does not have/,
  ),
  refusal(
    "version 7.3: several matrices that may be the network",
    await version73(sparse73("PAP", 6, pathColumns), sparse73("PLP", 6, pathColumns), text73),
    /a MATLAB file without a matrix of edges by a name .* PAP \(6 × 6, sparse\), PLP \(6 × 6, sparse\), note \(no matrix/,
  ),
  read("numbers whose highest byte comes first", bigEndian("adj", 3, 3, [0, 1, 0, 1, 0, 1, 0, 1, 0]), {
    nodes: 3,
    edges: 2,
    directed: false,
  }),
  refusal(
    "several matrices that may be the network",
    "two",
    /a MATLAB file without a matrix of edges by a name .* PAP \(6 × 6, sparse\), PLP/,
  ),
  refusal(
    "no square matrix",
    bigEndian("table", 2, 3, [1, 2, 3, 4, 5, 6]),
    /it has table \(2 × 3\); expected a square/,
  ),
  refusal(
    "a file that is cut off",
    fixture("deepwalk").subarray(0, 200),
    /damaged MATLAB file: a variable reaches beyond/,
  ),
  refusal("a packed variable that is damaged", damaged("deepwalk", 140, 0xff), /a packed variable cannot be unpacked/),
  refusal(
    "a variable that is nothing but empty parts",
    emptyParts(2 ** 20),
    /elements of the type 0, which holds no numbers/,
  ),
  refusal(
    "fewer numbers than the shape says",
    bigEndian("adj", 9, 9, [1, 2]),
    /the array adj has 2 numbers where its shape says 81/,
  ),
  refusal("a shape below zero", bigEndian("adj", -1, -2, [1, 2]), /the shape of adj is \(-1, -2\)/),
];
