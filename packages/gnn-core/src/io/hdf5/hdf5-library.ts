import { readSync } from "node:fs";

/** What is used of h5wasm's module, whose types leave out some of it. */
export interface Hdf5Library {
  readonly HEAPU8: Uint8Array;
  readonly H5F_ACC_RDONLY: number;
  readonly H5F_LIBVER_EARLIEST: number;
  readonly H5F_LIBVER_LATEST: number;
  readonly H5G_GROUP: number;
  readonly H5G_DATASET: number;
  readonly H5G_TYPE: number;
  _malloc(bytes: number): number;
  _free(at: number): void;
  open(name: string, mode: number, tracksOrder: boolean, oldest: number, newest: number): bigint;
  get_names(file: bigint, path: string, recursive: boolean): string[];
  get_type(file: bigint, path: string): number;
  get_dataset_metadata(file: bigint, path: string): Hdf5Metadata;
  get_dataset_filters(file: bigint, path: string): { readonly id: number; readonly name: string }[];
  get_attribute_names(file: bigint, path: string): string[];
  get_attribute_metadata(file: bigint, path: string, name: string): Hdf5Metadata;
  get_attribute_data(file: bigint, path: string, name: string, at: bigint): number;
  get_dataset_data(
    file: bigint,
    path: string,
    count: bigint[] | null,
    first: bigint[] | null,
    strides: bigint[] | null,
    at: bigint,
  ): number;
  /** Gives back the texts of any length that a slice of so many elements has brought. */
  reclaim_vlen_memory_count(file: bigint, path: string, attribute: string, at: bigint, count: bigint[]): number;
  readonly FS: {
    createFile(parent: string, name: string, properties: object, canRead: boolean, canWrite: boolean): MemoryNode;
  };
}

/** The type and the shape of a data set or an attribute. */
export interface Hdf5Metadata {
  /**
   * The class of HDF5's types: 0 whole numbers, 1 floating point, 3 texts, 4 bits, 6 structures, 8 names of whole
   * numbers, 10 lists of one length
   */
  readonly type: number;
  readonly size: number;
  readonly signed: boolean;
  readonly vlen: boolean;
  readonly littleEndian: boolean;
  /** null: it has no elements and is none */
  readonly shape: readonly number[] | null;
  readonly total_size: number;
  readonly chunks: readonly number[] | null;
  readonly enum_type?: { readonly type: number; readonly members: Readonly<Record<string, number>> };
  readonly virtual_sources?: readonly unknown[];
  readonly compound_type?: { readonly members: readonly Hdf5Member[] };
  readonly array_type?: Hdf5Metadata;
}

/** One of the values of a structure. */
export interface Hdf5Member extends Hdf5Metadata {
  readonly name: string;
  readonly offset: number;
}

interface MemoryNode {
  usedBytes: number;
  node_ops: { readonly getattr: (node: MemoryNode) => object };
  stream_ops: object;
}

/**
 * The HDF5 library as WebAssembly. It is the build for browsers, whose files lie in memory: that for Node opens any of
 * the host's that a file names.
 */
export async function loadLibrary(): Promise<Hdf5Library> {
  const { ready } = await import("h5wasm");
  return (await ready) as unknown as Hdf5Library;
}

/** Opens the one file that there is for the library; nothing of it is copied. @throws Error: it is no HDF5 file */
export function openedFile(library: Hdf5Library, handle: number, size: number): bigint {
  const node = library.FS.createFile("/", "file.h5", {}, true, false);
  const { getattr } = node.node_ops;
  node.usedBytes = size;
  node.node_ops = { ...node.node_ops, getattr: (one) => ({ ...getattr(one), size }) };
  const read = (_stream: unknown, into: Int8Array, offset: number, length: number, position: number) =>
    position >= size ? 0 : readSync(handle, into, offset, Math.min(length, size - position), position);
  node.stream_ops = { ...node.stream_ops, read };
  const { H5F_ACC_RDONLY, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST } = library;
  const file = library.open("file.h5", H5F_ACC_RDONLY, false, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  if (file <= 0n) throw new Error("it cannot be opened");
  return file;
}
