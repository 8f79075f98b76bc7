import type { SaidFailed } from "../reading-process.ts";

/** A data set of an HDF5 file. */
export interface Hdf5Array {
  /** Where it lies: `graph/edge_index` */
  readonly path: string;
  /** The type of its elements in numpy's letters, little endian: `<f4`; `|S8` for texts, `|V12` for other things */
  readonly descr: string;
  readonly itemBytes: number;
  readonly shape: readonly number[];
  /** null: it lies in one piece */
  readonly chunks: readonly number[] | null;
  /** Why it cannot be read, as a clause: `it is packed with lzf`; null: it can */
  readonly objection: string | null;
  /** What MATLAB calls it: `double`, `cell`, and `empty` for what has no elements; null: MATLAB has not written it */
  readonly matlab: string | null;
}

/** A group, with the attributes of it that say what a matrix in it is like. */
export interface Hdf5Group {
  readonly path: string;
  /** Rows and columns that its attributes `shape` or `h5sparse_shape` say */
  readonly shape: readonly number[] | null;
  /** Whether compressed rows or columns lie in it, by its attributes */
  readonly sparse: "csr" | "csc" | null;
  /** What MATLAB calls the structure or the sparse matrix in it: `struct`, `double`; null: MATLAB has not written it */
  readonly matlab: string | null;
  /** Rows of the sparse matrix of MATLAB in it; null: there is none */
  readonly matlabRows: number | null;
}

/** A part of a data set: from these indices on, so many of each. */
export interface Hdf5Slice {
  readonly first: readonly number[];
  readonly count: readonly number[];
}

/** What the process that reads an HDF5 file is asked, one thing at a time. */
export type ToHdf5Reader =
  | { readonly ask: "open"; readonly path: string; readonly memoryBytes: number }
  | { readonly ask: "slice"; readonly array: string; readonly slice: Hdf5Slice; readonly bytes: number };

/** What it answers. */
export type FromHdf5Reader =
  | {
      readonly answer: "opened";
      readonly arrays: readonly Hdf5Array[];
      readonly groups: readonly Hdf5Group[];
    }
  | { readonly answer: "bytes"; readonly bytes: Uint8Array }
  | SaidFailed;
