import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
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
      rows: [
        [7, 0],
        [1, 2],
        [1, 7],
        [7, 5],
        [0, 0],
        [2, 3],
      ],
    },
    [/the array note is left out/],
  ),
  read("a matrix in a structure, as the SuiteSparse collection has it", "suitesparse", path, [/name, id are left out/]),
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
