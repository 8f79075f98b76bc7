import { GnnError } from "../../errors/gnn-error.ts";
import type { ArchiveMember } from "../archives/archive.ts";
import type { MatContents, MatMatrix, MatNumbers, MatOther, MatSparse } from "../mat/mat-variables.ts";
import { formatNpyHeaderOf } from "../npy-header.ts";
import { madeMember } from "./made-member.ts";
import { byRows, type RowMatrix } from "./mat-rows.ts";
import { NpyMember } from "./npy-member.ts";
import type { NamedArrays } from "./numpy-arrays.ts";

/** What published graphs call their matrix of edges, in lower case; the first of them that is there counts. */
const calledEdges = ["adj", "adjacency", "adj_matrix", "network", "net", "homo", "graph", "a", "w", "g"];
const calledLabels = ["label", "labels", "class", "group", "gnd", "y", "target", "targets"];
const calledFeatures = ["features", "feature", "feat", "attributes", "attrs", "attr", "attrb", "fea", "x"];

/** Cells of a matrix of nodes and classes, whose zeros are written, too */
const mostLabels = 2 ** 26;

type Matrix = MatSparse | MatNumbers;

/**
 * The edges, labels and features among the matrices of a MAT-file, as arrays of numpy by the names that these have.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when none of them is known to be that of the edges
 */
export async function namedMatrices(file: string, contents: MatContents): Promise<NamedArrays> {
  const { variables } = contents;
  const matrices = variables.filter((one) => one.kind !== "other" && one.shape.length === 2) as MatMatrix[];
  const edges = edgesAmong(matrices);
  if (!edges) throw noEdges(file, variables);
  const [numNodes = 0] = edges.shape;
  const others = matrices.filter((one) => one !== edges);
  const labels = called(calledLabels, others, ({ shape: [rows = 0, columns = 0] }) => {
    return (rows === numNodes || columns === numNodes) && rows * columns <= mostLabels;
  });
  const features = called(calledFeatures, others, (one) => one !== labels && one.shape[0] === numNodes);
  const arrays = new Map<string, SavedArray>([
    ...sparseArrays("adj", await contents.read(edges)),
    ...(labels ? [["y", labelArray(await contents.read(labels), numNodes)] as const] : []),
    ...(features ? featureArrays(await contents.read(features)) : []),
  ]);
  const taken = new Set<MatMatrix | MatOther>([edges, labels, features].filter((one) => one !== null));
  const memberOf = (name: string) => asMember(name, arrays.get(name)!);
  return {
    names: [...arrays.keys()],
    open: (name) => NpyMember.open(memberOf(name), file),
    memberOf,
    calledThere: "adj, network or net for its edges, label or group, features",
    untaken: () => variables.filter((one) => !taken.has(one)).map((one) => one.name),
    close: () => {},
  };
}

/** By name, or else the only square matrix whose entries are mostly 0 */
function edgesAmong(matrices: readonly MatMatrix[]): MatMatrix | null {
  const square = matrices.filter(({ shape: [rows, columns] }) => rows === columns && (rows ?? 0) > 1);
  const named = called(calledEdges, square, () => true);
  if (named) return named;
  const sparse = square.filter(({ kind }) => kind === "sparse");
  return sparse.length === 1 ? sparse[0]! : square.length === 1 ? square[0]! : null;
}

function called(names: readonly string[], matrices: readonly MatMatrix[], fits: (matrix: MatMatrix) => boolean) {
  for (const name of names) {
    const found = matrices.find((one) => one.name.toLowerCase() === name && fits(one));
    if (found) return found;
  }
  return null;
}

/** An array as numpy would have saved it, row by row */
interface SavedArray {
  readonly descr: "<f8" | "<f4";
  readonly shape: readonly number[];
  readonly values: Float64Array | Float32Array;
}

const numbers = (values: Float64Array, shape: readonly number[] = [values.length]): SavedArray => ({
  descr: "<f8",
  shape,
  values,
});

function sparseArrays(name: string, matrix: Matrix): (readonly [string, SavedArray])[] {
  const { shape, offsets, columns, values } = byRows(matrix);
  return [
    [`${name}_indptr`, numbers(offsets)],
    [`${name}_indices`, numbers(columns)],
    [`${name}_data`, numbers(values)],
    [`${name}_shape`, numbers(Float64Array.from(shape))],
  ];
}

/** A number of each node, or a row of zeros and ones; a matrix with the nodes side by side is turned. */
function labelArray(matrix: Matrix, numNodes: number): SavedArray {
  const [rows, columns] = matrix.shape as [number, number];
  const dense = denseRows(byRows(matrix));
  if (rows === 1 || columns === 1) return numbers(dense);
  if (rows === numNodes) return numbers(dense, [rows, columns]);
  const turned = new Float64Array(dense.length);
  for (let i = 0; i < dense.length; i++) turned[(i % columns) * rows + Math.floor(i / columns)] = dense[i]!;
  return numbers(turned, [columns, rows]);
}

function featureArrays(matrix: Matrix): (readonly [string, SavedArray])[] {
  if (matrix.kind === "sparse") return sparseArrays("attr", matrix);
  const values = Float32Array.from(denseRows(byRows(matrix)));
  return [["x", { descr: "<f4", shape: matrix.shape, values }]];
}

function denseRows({ shape: [rows, columns], offsets, columns: places, values }: RowMatrix): Float64Array {
  const dense = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let at = offsets[row]!; at < offsets[row + 1]!; at++) dense[row * columns + places[at]!] = values[at]!;
  }
  return dense;
}

function asMember(name: string, { descr, shape, values }: SavedArray): ArchiveMember {
  const header = formatNpyHeaderOf(descr, shape);
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    yield Buffer.from(header);
    yield Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  }
  return madeMember(name, header.length + values.byteLength, read);
}

const mostListed = 20;

function noEdges(file: string, variables: MatContents["variables"]): GnnError {
  const listed = variables.slice(0, mostListed).map(inWords).join(", ");
  const found = variables.length === 0 ? "nothing" : `${listed}${variables.length > mostListed ? " and more" : ""}`;
  const message = `${file} is a MATLAB file without a matrix of edges by a name that is known: it has ${found}; expected a square matrix called ${calledEdges.slice(0, 5).join(", ")}, or one square matrix alone. Save it under such a name: adj = …; save("graph.mat", "adj", "label", "features").`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function inWords(variable: MatMatrix | MatOther): string {
  if (variable.kind === "other") return `${variable.name} (no matrix of numbers)`;
  return `${variable.name} (${variable.shape.join(" × ")}${variable.kind === "sparse" ? ", sparse" : ""})`;
}
