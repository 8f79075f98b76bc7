import type { ArchiveMember } from "../archives/archive.ts";
import type { Hdf5File } from "../hdf5/hdf5-file.ts";
import type { NamedArray } from "../hdf5/hdf5-names.ts";
import { formatNpyHeader, formatNpyHeaderOf } from "../npy-header.ts";
import { madeMember } from "./made-member.ts";

/** An array as a file of numpy.save, made while it is read. */
export function hdf5Member(file: Hdf5File, name: string, array: NamedArray, check: () => void): ArchiveMember {
  const [header, data, dataBytes] = partsOf(file, array);
  async function* read(): AsyncGenerator<Buffer, void, undefined> {
    if ("dataSet" in array) file.check(array.dataSet);
    yield Buffer.from(header);
    for await (const piece of data()) {
      check();
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
  return madeMember("dataSet" in array ? array.dataSet.path : name, header.length + dataBytes, read);
}

type Pieces = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

function partsOf(file: Hdf5File, array: NamedArray): [header: Uint8Array, data: Pieces, dataBytes: number] {
  if ("numbers" in array) {
    const { numbers } = array;
    const bytes = new Uint8Array(BigInt64Array.from(numbers, BigInt).buffer);
    return [formatNpyHeader("int64", [numbers.length]), () => [bytes], bytes.length];
  }
  if ("text" in array) {
    const bytes = Buffer.from(array.text);
    return [formatNpyHeaderOf(`|S${bytes.length}`, []), () => [bytes], bytes.length];
  }
  const { descr, shape, itemBytes } = array.dataSet;
  const dataBytes = shape.reduce((product, one) => product * one, itemBytes);
  return [formatNpyHeaderOf(descr, shape), () => file.read(array.dataSet), dataBytes];
}
