import type { SaidFailed } from "../reading-process.ts";

/** One of the values in each element of a data set of structures. */
export interface Hdf5Field {
  readonly name: string;
  /** The type in numpy's letters, with the order of bytes in which it lies there; `|O` for texts of any length */
  readonly descr: string;
  /** Bytes that one value has */
  readonly itemBytes: number;
  /** Where it begins in the element */
  readonly offset: number;
  /** How many values it is a list of; null: it is one value */
  readonly length: number | null;
}

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
  /** What each element consists of; null: it is no structure */
  readonly fields: readonly Hdf5Field[] | null;
  readonly attributes: Hdf5Attributes;
}

/** The attributes of a data set or a group that are texts, by their names. */
export type Hdf5Attributes = Readonly<Record<string, readonly string[]>>;

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
  readonly attributes: Hdf5Attributes;
}

/** A part of a data set: from these indices on, so many of each. */
export interface Hdf5Slice {
  readonly first: readonly number[];
  readonly count: readonly number[];
}

/** What the process that reads an HDF5 file is asked, one thing at a time. */
export type ToHdf5Reader =
  | { readonly ask: "open"; readonly path: string; readonly memoryBytes: number }
  | {
      readonly ask: "slice";
      readonly array: string;
      readonly slice: Hdf5Slice;
      readonly bytes: number;
      /** Where in each element texts of any length are told; empty: they are of no interest */
      readonly texts: TextPlaces;
    };

/** Texts of any length lie elsewhere: an element has their addresses. */
export interface TextPlaces {
  readonly itemBytes: number;
  readonly offsets: readonly number[];
}

/** What it answers. */
export type FromHdf5Reader =
  | {
      readonly answer: "opened";
      readonly arrays: readonly Hdf5Array[];
      readonly groups: readonly Hdf5Group[];
    }
  /** The texts one element after the other, and in each of them in the order of the places asked for */
  | { readonly answer: "bytes"; readonly bytes: Uint8Array; readonly texts: readonly string[] }
  | SaidFailed;
