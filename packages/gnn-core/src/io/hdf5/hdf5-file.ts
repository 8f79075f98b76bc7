import { fileURLToPath } from "node:url";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import { ReaderFailure, ReadingProcess } from "../reading-process.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import type { FromHdf5Reader, Hdf5Array, Hdf5Group, Hdf5Slice, TextPlaces, ToHdf5Reader } from "./hdf5-messages.ts";
import { slicesOf } from "./slices.ts";

// src/io/hdf5 and dist/io/hdf5 lie equally deep; it is the build that runs.
const program = fileURLToPath(new URL("../../../dist/io/hdf5/hdf5-process.js", import.meta.url));

/** For one slice, which is read and unpacked in a second where nothing is wrong */
const mostAnswerMs = 120_000;
/** Eight of the largest chunks, of which the library holds some at a time */
const mostMemoryBytes = 2 ** 30;

/** An HDF5 file that is open in a process of its own. */
export interface Hdf5File {
  readonly arrays: readonly Hdf5Array[];
  readonly groups: readonly Hdf5Group[];
  /** @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED, when the array is not to be read */
  check(array: Hdf5Array): void;
  /** The elements in C order, little endian. @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
  read(array: Hdf5Array): AsyncGenerator<Uint8Array, void, undefined>;
  /**
   * So many rows of an array from one on, with the texts of any length in them.
   *
   * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
   */
  readRows(array: Hdf5Array, first: number, count: number, texts: TextPlaces): Promise<Hdf5Rows>;
  close(): Promise<void>;
}

export type Hdf5Rows = Omit<Extract<FromHdf5Reader, { answer: "bytes" }>, "answer">;

const noTexts: TextPlaces = { itemBytes: 1, offsets: [] };

/** Bytes of all that has the same first index */
export function rowBytesOf({ shape, itemBytes }: Hdf5Array): number {
  return shape.slice(1).reduce((product, one) => product * one, itemBytes);
}

/** @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED */
export async function openHdf5({ path, name, bytes }: UploadedFile, limits: ReadingLimits): Promise<Hdf5File> {
  const reader = new ReadingProcess<ToHdf5Reader, FromHdf5Reader>(program, mostAnswerMs);
  const memoryBytes = Math.min(mostMemoryBytes, limits.memoryBytes.most);
  const explain = (error: unknown): never => {
    throw error instanceof ReaderFailure ? explained(error, name, { ...limits.memoryBytes, most: memoryBytes }) : error;
  };
  function check(array: Hdf5Array): void {
    if (array.objection !== null) throw cannotBeRead(name, array);
    const unpacked = array.shape.reduce((product, one) => product * one, array.itemBytes);
    checkUnpacked(name, bytes, unpacked, limits);
  }
  async function ask(array: Hdf5Array, slice: Hdf5Slice, bytes: number, texts: TextPlaces): Promise<Hdf5Rows> {
    const said = await reader.ask({ ask: "slice", array: array.path, slice, bytes, texts }).catch(explain);
    return said as Extract<FromHdf5Reader, { answer: "bytes" }>;
  }
  function readRows(array: Hdf5Array, first: number, count: number, texts: TextPlaces): Promise<Hdf5Rows> {
    check(array);
    const [, ...inner] = array.shape;
    const slice = { first: [first, ...inner.map(() => 0)], count: [count, ...inner] };
    return ask(array, slice, count * rowBytesOf(array), texts);
  }
  async function* read(array: Hdf5Array): AsyncGenerator<Uint8Array, void, undefined> {
    check(array);
    for (const { first, count, bytes: sliceBytes } of slicesOf(array)) {
      yield (await ask(array, { first, count }, sliceBytes, noTexts)).bytes;
    }
  }
  try {
    const opened = await reader.ask({ ask: "open", path, memoryBytes }).catch(explain);
    const { arrays, groups } = opened as Extract<FromHdf5Reader, { answer: "opened" }>;
    return { arrays, groups, check, read, readRows, close: () => reader.close() };
  } catch (error) {
    await reader.close();
    throw error;
  }
}

function cannotBeRead(file: string, { path, objection }: Hdf5Array): GnnError {
  const again = `h5py.File("copy.h5", "a").create_dataset("${path}", data=h5py.File("${file}")["${path}"][()], compression="gzip")`;
  const message = `${file}: the array ${path} cannot be read: ${objection}. Write a copy of what is needed: ${again}`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}

function explained(failure: ReaderFailure, file: string, memory: ReadingLimits["memoryBytes"]): GnnError {
  const { endedBy, message: words } = failure;
  if (/out of memory|bad_alloc|cannot enlarge memory/i.test(words) || endedBy === "SIGKILL")
    return overLimit(file, "reading it needs more bytes of memory than it may have", memory);
  const message = `${file} is a damaged HDF5 file: ${damage(words, endedBy)}. Close the program that writes it, and upload it again.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { cause: failure, place: { file } });
}

/** The library's own words name lines of its program: they are the cause, and not said. */
function damage(words: string, endedBy: string | null): string {
  if (endedBy === "late") return `what was asked of it was not read in ${mostAnswerMs / 1000} seconds`;
  if (endedBy !== null) return `the process that read it broke down (${endedBy})`;
  if (/^(it cannot be opened|the data of .* cannot be read|more than \d+ groups and data sets)$/.test(words))
    return words;
  return "what it says of its arrays is not understood";
}
