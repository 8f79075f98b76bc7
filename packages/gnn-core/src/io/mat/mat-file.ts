import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkUnpacked, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import type { UploadedFile } from "../uploaded-files.ts";
import {
  countOf,
  elementsOf,
  elementTypes,
  MatDamage,
  type MatElement,
  readNumbers,
  readText,
  viewOf,
} from "./mat-elements.ts";

/** A sparse matrix by columns, as MATLAB stores all of them. */
export interface MatSparse {
  readonly kind: "sparse";
  readonly name: string;
  readonly shape: readonly [rows: number, columns: number];
  /** [columns + 1] */
  readonly offsets: Float64Array;
  readonly rows: Float64Array;
  readonly values: Float64Array;
}

/** Numbers, the first index fastest. */
export interface MatNumbers {
  readonly kind: "numbers";
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Texts, cells, and what else nobody reads of a graph */
export interface MatOther {
  readonly kind: "other";
  readonly name: string;
}
export type MatVariable = MatSparse | MatNumbers | MatOther;

const headerBytes = 128;
const classes = { struct: 2, sparse: 5, firstNumbers: 6, lastNumbers: 15 } as const;
const complexFlag = 0x800;
/** Structures within structures */
const mostDepth = 8;
/** Variables of a file, and fields of a structure: a file may name one for every eight of its bytes. */
const mostNamed = 10_000;

/**
 * The variables of a MAT-file of version 5 to 7.2, fields of structures by their own names. The whole file is held.
 *
 * https://www.mathworks.com/help/pdf_doc/matlab/matfile_format.pdf
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function readMatFile({ name, path, bytes }: UploadedFile, limits: ReadingLimits): Promise<MatVariable[]> {
  const { memoryBytes } = limits;
  const room = (held: number) => {
    if (held > memoryBytes.most)
      throw overLimit(name, "reading it needs more bytes of memory than it may have", memoryBytes);
  };
  room(bytes);
  const whole = await readFile(path);
  if (whole.length < headerBytes) throw damaged(name, "it ends within its header");
  const isBigEndian = whole.toString("latin1", 126, 128) === "MI";
  let unpacked = whole.length;
  const unpack = ({ view }: MatElement): DataView => {
    const most = memoryBytes.most - unpacked;
    const inside = inflated(view, Math.max(1, Math.min(most, 2 ** 31 - 1)));
    if (inside === null) throw overLimit(name, "reading it needs more bytes of memory than it may have", memoryBytes);
    unpacked += inside.length;
    checkUnpacked(name, bytes, unpacked, limits);
    return viewOf(inside, isBigEndian);
  };
  try {
    const found: MatVariable[] = [];
    for (const element of firstOf(elementsOf(viewOf(whole.subarray(headerBytes), isBigEndian)), mostNamed)) {
      const inside = element.type === elementTypes.compressed ? firstOf(elementsOf(unpack(element)), 1) : [element];
      for (const one of inside) if (one.type === elementTypes.matrix) found.push(...variablesOf(one.view, "", 0, room));
    }
    return found;
  } catch (error) {
    if (error instanceof MatDamage) throw damaged(name, error.message);
    throw error;
  }
}

/** At most so many; what lies behind them is not looked at. */
function firstOf(elements: Iterable<MatElement>, most: number): MatElement[] {
  const found: MatElement[] = [];
  for (const element of elements) {
    if (found.length === most) break;
    found.push(element);
  }
  return found;
}

/** null: it would be more than `most` bytes. @throws MatDamage */
function inflated(view: DataView, most: number): Buffer | null {
  try {
    return inflateSync(Buffer.from(view.buffer, view.byteOffset, view.byteLength), { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return null;
    throw new MatDamage("a packed variable cannot be unpacked");
  }
}

/** @param called the name of a field, which its own array does not have */
function variablesOf(view: DataView, called: string, depth: number, room: (held: number) => void): MatVariable[] {
  // Behind these come up to three arrays, or the names of fields and a variable for each; cells are not looked at.
  const [flags, dims, label, ...data] = firstOf(elementsOf(view), mostNamed);
  if (!flags || !dims || !label) return [{ kind: "other", name: called }];
  const [flagWord = 0] = readNumbers(flags);
  const shape = [...readNumbers(dims)];
  const name = called === "" ? readText(label) : called;
  if (!shape.every((size) => Number.isInteger(size) && size >= 0))
    throw new MatDamage(`the shape of ${name} is (${shape.join(", ")})`);
  const ofClass = flagWord & 0xff;
  if (ofClass === classes.struct) return depth < mostDepth ? fieldsOf(data, depth, room) : [{ kind: "other", name }];
  if (flagWord & complexFlag) return [{ kind: "other", name }];
  if (ofClass === classes.sparse) return [sparseOf(name, shape, data, room)];
  if (ofClass < classes.firstNumbers || ofClass > classes.lastNumbers) return [{ kind: "other", name }];
  const [values] = data;
  if (!values) throw new MatDamage(`the array ${name} has no numbers`);
  room(8 * countOf(values));
  const expected = shape.reduce((product, one) => product * one, 1);
  if (countOf(values) !== expected)
    throw new MatDamage(`the array ${name} has ${countOf(values)} numbers where its shape says ${expected}`);
  return [{ kind: "numbers", name, shape, values: readNumbers(values) }];
}

/** The fields of a structure; of an array of structures those of the first. */
function fieldsOf(
  [width, names, ...fields]: readonly MatElement[],
  depth: number,
  room: (held: number) => void,
): MatVariable[] {
  if (!width || !names) return [];
  const [bytes = 0] = readNumbers(width);
  if (!(bytes > 0)) throw new MatDamage("the fields of a structure have no names");
  const text = readText(names);
  return fields.slice(0, Math.floor(text.length / bytes)).flatMap((field, i) => {
    const name = text.slice(i * bytes, (i + 1) * bytes).replace(/\0.*$/s, "");
    return field.type === elementTypes.matrix ? variablesOf(field.view, name, depth + 1, room) : [];
  });
}

function sparseOf(
  name: string,
  [numRows = 0, numColumns = 0]: readonly number[],
  [rows, offsets, values]: readonly MatElement[],
  room: (held: number) => void,
): MatSparse {
  if (!rows || !offsets || !values) throw new MatDamage(`the matrix ${name} is not whole`);
  room(8 * (countOf(rows) + countOf(offsets) + countOf(values)));
  const found = { rows: readNumbers(rows), offsets: readNumbers(offsets), values: readNumbers(values) };
  const numEntries = found.offsets.at(-1) ?? 0;
  const isOrdered = found.offsets.every((at, i) => (i === 0 ? at === 0 : at >= found.offsets[i - 1]!));
  // Room that was made and not used may lie behind the entries.
  const fits =
    found.offsets.length === numColumns + 1 && numEntries <= found.rows.length && numEntries <= found.values.length;
  if (!fits || !isOrdered) throw new MatDamage(`the columns of the matrix ${name} do not fit together`);
  const kept = { rows: found.rows.subarray(0, numEntries), values: found.values.subarray(0, numEntries) };
  if (kept.rows.some((row) => !(row >= 0 && row < numRows)))
    throw new MatDamage(`the matrix ${name} has an entry in a row that it does not have`);
  return { kind: "sparse", name, shape: [numRows, numColumns], offsets: found.offsets, ...kept };
}

function damaged(file: string, found: string): GnnError {
  const message = `${file} is a damaged MATLAB file: ${found}. Save it again (save -v7), and upload it once more.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
