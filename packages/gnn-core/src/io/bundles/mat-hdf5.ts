import type { Hdf5File } from "../hdf5/hdf5-file.ts";
import type { Hdf5Array, Hdf5Group } from "../hdf5/hdf5-messages.ts";
import { overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import { MatDamage } from "../mat/mat-elements.ts";
import { damagedMat } from "../mat/mat-file.ts";
import { type MatContents, type MatMatrix, type MatOther, wholeSparse } from "../mat/mat-variables.ts";
import { hdf5Member } from "./hdf5-member.ts";
import { NpyMember } from "./npy-member.ts";

/** What cells and objects refer to. */
const ofMatlabItself = /^#(refs|subsystem)#(\/|$)/;
const numeric = /^(double|single|logical|u?int(8|16|32|64))$/;

/** Whether MATLAB has written a file of HDF5, or somebody as MATLAB does. */
export function isOfMatlab({ arrays, groups }: Hdf5File): boolean {
  return [...arrays, ...groups].some(({ matlab }) => matlab !== null);
}

/** A matrix with the data sets that it is read from. */
type Stored = MatMatrix &
  (
    | { readonly kind: "numbers"; readonly array: Hdf5Array }
    | { readonly kind: "sparse"; readonly members: ReadonlyMap<string, Hdf5Array> }
  );

/**
 * The variables of a MAT-file of version 7.3, which is HDF5 with attributes: an array has its sizes in the opposite
 * order, and a sparse matrix is a group of `jc`, where each column begins, `ir`, the rows, and `data`.
 *
 * @param check called between pieces; throws where reading has to end
 */
export function matlabContents(
  name: string,
  file: Hdf5File,
  { memoryBytes }: ReadingLimits,
  check: () => void,
): MatContents {
  let held = 0;
  const numbers = async (array: Hdf5Array | undefined): Promise<Float64Array> => {
    // A matrix without entries has neither rows nor values.
    if (!array) return new Float64Array(0);
    const length = array.shape.reduce((product, one) => product * one, 1);
    held += 8 * length;
    if (held > memoryBytes.most)
      throw overLimit(name, "reading it needs more bytes of memory than it may have", memoryBytes);
    const member = await NpyMember.open(hdf5Member(file, array.path, { dataSet: array }, check), name);
    const values = new Float64Array(length);
    let at = 0;
    for await (const piece of member.pieces(0, length)) {
      values.set(piece, at);
      at += piece.length;
    }
    return values;
  };
  return {
    variables: storedIn(file),
    async read(matrix) {
      const stored = matrix as Stored;
      const { shape } = stored;
      if (stored.kind === "numbers") return { ...stored, kind: "numbers", values: await numbers(stored.array) };
      const member = (part: string) => numbers(stored.members.get(part));
      const found = { offsets: await member("jc"), rows: await member("ir"), values: await member("data") };
      try {
        return wholeSparse(stored.name, [shape[0] ?? 0, shape[1] ?? 0], found);
      } catch (error) {
        throw error instanceof MatDamage ? damagedMat(name, error.message) : error;
      }
    },
  };
}

function storedIn({ arrays, groups }: Hdf5File): (Stored | MatOther)[] {
  const isOwn = ({ path }: Hdf5Array | Hdf5Group) => !ofMatlabItself.test(path);
  const sparse = groups.filter((group) => group.matlabRows !== null && isOwn(group));
  const isWithin = ({ path }: Hdf5Array) => sparse.some((group) => path.startsWith(`${group.path}/`));
  const left = arrays.filter((array) => isOwn(array) && !isWithin(array));
  return [...sparse.map((group) => sparseIn(group, arrays)), ...left.map(numbersIn)];
}

function sparseIn({ path, matlabRows }: Hdf5Group, arrays: readonly Hdf5Array[]): Stored {
  const parts = ["jc", "ir", "data"].flatMap((part) => {
    const found = arrays.find((array) => array.path === `${path}/${part}`);
    return found ? [[part, found] as const] : [];
  });
  const members = new Map(parts);
  const numColumns = (members.get("jc")?.shape[0] ?? 1) - 1;
  return { kind: "sparse", name: lastPart(path), shape: [matlabRows ?? 0, numColumns], members };
}

function numbersIn(array: Hdf5Array): Stored | MatOther {
  const name = lastPart(array.path);
  // A complex number is a compound.
  const isNumeric = numeric.test(array.matlab ?? "") && /^[<|][iufb]/.test(array.descr);
  return isNumeric ? { kind: "numbers", name, shape: array.shape.toReversed(), array } : { kind: "other", name };
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
