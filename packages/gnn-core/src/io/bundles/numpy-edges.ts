import type { NpyMember } from "./npy-member.ts";
import type { NamedArrays } from "./numpy-arrays.ts";
import type { RecordedArrays } from "./recorded-arrays.ts";

type Numbers = ArrayLike<number>;

/** Some edges: both ends and, where there are such, their weights. */
export interface EdgePiece {
  readonly src: Numbers;
  readonly dst: Numbers;
  readonly weight: Numbers | null;
}

/** The edges that arrays hold, to be read as often as one likes. */
export interface ArrayEdges {
  /** Nodes that the arrays say there are; null: they do not */
  readonly numNodes: number | null;
  readonly numEdges: number;
  /** Whether each entry leads from its first node to its second; null: a list of pairs, which does not say */
  readonly hasDirection: boolean;
  readonly pieces: (most: number) => AsyncGenerator<EdgePiece, void, undefined>;
}

export class ArraysDoNotFit extends Error {}

const pairs = ["edge_index", "edges", "edge_list", "edgelist", "edge_pairs"];
const ends = [
  ["row", "col"],
  ["src", "dst"],
  ["edge_src", "edge_dst"],
  ["source", "target"],
  ["senders", "receivers"],
] as const;
const adjacencies = ["adj", "adj_matrix", "adjacency"];
const weights = ["weight", "weights", "edge_weight", "edge_weights"];

/** Whether arrays of these names hold edges. */
export function holdEdges(names: readonly string[]): boolean {
  return (
    pairs.some((name) => names.includes(name)) ||
    ends.some((both) => both.every((name) => names.includes(name))) ||
    prefixOf(names) !== null ||
    isSparse(names)
  );
}

/** Whether the arrays are a matrix of scipy.sparse.save_npz. */
export function isSparse(names: readonly string[]): boolean {
  return names.includes("format") && names.includes("shape") && names.includes("indptr") && names.includes("indices");
}

function prefixOf(names: readonly string[]): string | null {
  return adjacencies.find((one) => names.includes(`${one}_indptr`) && names.includes(`${one}_indices`)) ?? null;
}

/** @throws ArraysDoNotFit, GnnError DATASET_FORMAT_INVALID */
export async function edgesOf(arrays: RecordedArrays): Promise<ArrayEdges> {
  const { names } = arrays;
  const list = pairs.find((name) => names.includes(name));
  if (list !== undefined) return edgesOfList(arrays, list);
  const both = ends.find((one) => one.every((name) => names.includes(name)));
  if (both) return edgesOfEnds(arrays, both);
  const prefix = prefixOf(names);
  return edgesOfRows(arrays, prefix === null ? "" : `${prefix}_`);
}

/** [2, edges] as PyTorch Geometric has them, or [edges, 2]; a square of two is read by the name. */
async function edgesOfList(arrays: RecordedArrays, name: string): Promise<ArrayEdges> {
  const array = await arrays.open(name);
  const [first = 0, second = 0] = array.shape;
  // In Fortran's order the file holds the transpose.
  const prefersTwoRows = (name === "edge_index") !== array.isTransposed;
  const hasTwoRows = first === 2 && (second !== 2 || prefersTwoRows);
  if (array.shape.length !== 2 || (!hasTwoRows && second !== 2))
    throw new ArraysDoNotFit(`${name} has the shape ${array.shapeText}, expected (2, edges) or (edges, 2)`);
  const numEdges = hasTwoRows ? second : first;
  const weight = await weightsOf(arrays, numEdges);
  const pieces = (most: number) => {
    const count = Math.min(most, numEdges);
    const ofEdges = weight?.pieces(0, count);
    if (!hasTwoRows)
      return ofEdges ? weighted(apart(array.pieces(0, 2 * count)), ofEdges) : apart(array.pieces(0, 2 * count));
    const rows = [array.pieces(0, count), array.pieces(numEdges, count)];
    return together(ofEdges ? [...rows, ofEdges] : rows, weight !== null);
  };
  return { numNodes: null, numEdges, hasDirection: name === "edge_index", pieces };
}

async function edgesOfEnds(arrays: RecordedArrays, [src, dst]: readonly [string, string]): Promise<ArrayEdges> {
  const [from, to] = [await arrays.open(src), await arrays.open(dst)];
  if (from.length !== to.length)
    throw new ArraysDoNotFit(`${src} holds ${from.length} numbers and ${dst} ${to.length}; expected as many`);
  const ofMatrix = arrays.names.includes("data") ? await arrays.open("data") : null;
  if (ofMatrix && ofMatrix.length !== from.length)
    throw new ArraysDoNotFit(`data holds ${ofMatrix.length} numbers for ${from.length} edges`);
  const data = ofMatrix ?? (await weightsOf(arrays, from.length));
  const numNodes = await squareOf(arrays, "shape");
  const pieces = (most: number) => {
    const count = Math.min(most, from.length);
    return together(
      [from, to, ...(data ? [data] : [])].map((array) => array.pieces(0, count)),
      data !== null,
    );
  };
  return { numNodes, numEdges: from.length, hasDirection: true, pieces };
}

/** A number for each edge, by its name; null: there is none. What is called so and is none is left out. */
async function weightsOf(arrays: RecordedArrays, numEdges: number): Promise<NpyMember | null> {
  const name = weights.find((one) => arrays.names.includes(one));
  if (name === undefined) return null;
  const array = await arrays.open(name);
  if (array.length === numEdges) return array;
  arrays.leave(name);
  return null;
}

/** Compressed rows (CSR), or by `format` columns (CSC), of an adjacency matrix. */
async function edgesOfRows(arrays: NamedArrays, prefix: string): Promise<ArrayEdges> {
  const offsets = await wholeOf(await arrays.open(`${prefix}indptr`));
  const indices = await arrays.open(`${prefix}indices`);
  const data = arrays.names.includes(`${prefix}data`) ? await arrays.open(`${prefix}data`) : null;
  const isByColumn = prefix === "" && (await formatOf(arrays)) === "csc";
  const numNodes = (await squareOf(arrays, `${prefix}shape`)) ?? offsets.length - 1;
  const numEdges = indices.length;
  const fits = offsets[0] === 0 && offsets[offsets.length - 1] === numEdges && numNodes === offsets.length - 1;
  if (!fits || (data && data.length !== numEdges) || offsets.some((at, i) => i > 0 && at < offsets[i - 1]!))
    throw new ArraysDoNotFit(`${prefix}indptr, ${prefix}indices and ${prefix}data do not fit together`);
  async function* pieces(most: number): AsyncGenerator<EdgePiece, void, undefined> {
    const count = Math.min(most, numEdges);
    const read = [indices, ...(data ? [data] : [])].map((array) => array.pieces(0, count));
    let [at, row] = [0, 0];
    for await (const [others, weight] of aligned(read)) {
      const rows = new Float64Array(others!.length);
      for (let i = 0; i < rows.length; i++, at++) {
        while (offsets[row + 1]! <= at) row++;
        rows[i] = row;
      }
      const [src, dst] = isByColumn ? [others!, rows] : [rows, others!];
      yield { src, dst, weight: weight ?? null };
    }
  }
  return { numNodes, numEdges, hasDirection: true, pieces };
}

/** The number of nodes of an adjacency matrix; null: no shape is there. */
async function squareOf(arrays: NamedArrays, name: string): Promise<number | null> {
  if (!arrays.names.includes(name)) return null;
  const [rows, columns] = await wholeOf(await arrays.open(name));
  if (rows !== undefined && rows === columns) return rows;
  throw new ArraysDoNotFit(`the matrix has ${rows} rows and ${columns} columns; an adjacency matrix has as many`);
}

async function formatOf(arrays: NamedArrays): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of arrays.memberOf("format").read()) chunks.push(chunk);
  const words = /(csr|csc|coo|bsr|dia)\0*$/.exec(Buffer.concat(chunks).toString("latin1").replaceAll("\0", ""));
  const format = words?.[1] ?? "another";
  if (format === "csr" || format === "csc") return format;
  throw new ArraysDoNotFit(`the matrix is in the format "${format}"; save matrix.tocsr()`);
}

/** All numbers of an array, of which there are as many as nodes. */
export async function wholeOf(array: NpyMember): Promise<Float64Array> {
  const values = new Float64Array(array.length);
  let filled = 0;
  for await (const piece of array.pieces(0, array.length)) {
    values.set(piece, filled);
    filled += piece.length;
  }
  return values;
}

async function* together(
  read: readonly AsyncGenerator<Numbers, undefined>[],
  hasWeight: boolean,
): AsyncGenerator<EdgePiece, void, undefined> {
  for await (const [src, dst, weight] of aligned(read))
    yield { src: src!, dst: dst!, weight: hasWeight ? weight! : null };
}

/** Pairs that lie one after another; a piece may end within one. */
async function* apart(read: AsyncGenerator<Numbers, undefined>): AsyncGenerator<EdgePiece, void, undefined> {
  let left: number | null = null;
  for await (const piece of read) {
    const values: number[] = left === null ? [] : [left];
    for (let i = 0; i < piece.length; i++) values.push(piece[i]!);
    left = values.length % 2 === 1 ? values.pop()! : null;
    const count = values.length / 2;
    yield {
      src: Float64Array.from({ length: count }, (_, i) => values[2 * i]!),
      dst: Float64Array.from({ length: count }, (_, i) => values[2 * i + 1]!),
      weight: null,
    };
  }
}

/** Edges with a weight each, which come in pieces of their own. */
async function* weighted(
  edges: AsyncGenerator<EdgePiece, void, undefined>,
  weights: AsyncGenerator<Numbers, undefined>,
): AsyncGenerator<EdgePiece, void, undefined> {
  let rest = new Float64Array(0);
  try {
    for await (const { src, dst } of edges) {
      const weight = new Float64Array(src.length);
      for (let filled = 0; filled < weight.length; ) {
        if (rest.length === 0) rest = Float64Array.from((await weights.next()).value ?? []);
        const taken = rest.subarray(0, weight.length - filled);
        weight.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
      }
      yield { src, dst, weight };
    }
  } finally {
    await weights.return(undefined);
  }
}

/** Pieces of the same length of several arrays that are equally long. */
async function* aligned(read: readonly AsyncGenerator<Numbers, undefined>[]): AsyncGenerator<Float64Array[]> {
  const rest = read.map(() => new Float64Array(0));
  try {
    for (;;) {
      for (const [i, one] of read.entries())
        if (rest[i]!.length === 0) rest[i] = Float64Array.from((await one.next()).value ?? []);
      const length = Math.min(...rest.map((piece) => piece.length));
      if (length === 0) return;
      yield rest.map((piece) => piece.subarray(0, length));
      for (const [i, piece] of rest.entries()) rest[i] = piece.subarray(length);
    }
  } finally {
    for (const one of read) await one.return(undefined);
  }
}
