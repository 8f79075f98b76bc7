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
import { type MatSparse, type MatVariable, wholeSparse } from "./mat-variables.ts";

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
  const tooMuch = () => overLimit(name, "reading it needs more bytes of memory than it may have", memoryBytes);
  let held = 0;
  const hold: Hold = (more) => {
    held += more;
    if (held > memoryBytes.most) throw tooMuch();
  };
  hold(bytes);
  const whole = await readFile(path);
  if (whole.length < headerBytes) throw damagedMat(name, "it ends within its header");
  const isBigEndian = whole.toString("latin1", 126, 128) === "MI";
  let unpacked = 0;
  // One variable at a time lies there unpacked; what is taken of it is held.
  const unpack = ({ view }: MatElement): DataView => {
    const inside = inflated(view, Math.max(1, Math.min(memoryBytes.most - held, 2 ** 31 - 1)));
    if (inside === null) throw tooMuch();
    unpacked += inside.length;
    checkUnpacked(name, bytes, unpacked, limits);
    return viewOf(inside, isBigEndian);
  };
  try {
    const found: MatVariable[] = [];
    for (const element of few(elementsOf(viewOf(whole.subarray(headerBytes), isBigEndian)), "variables")) {
      const [one] = element.type === elementTypes.compressed ? elementsOf(unpack(element)) : [element];
      if (one?.type === elementTypes.matrix) found.push(...variablesOf(one.view, "", 0, hold));
    }
    return found;
  } catch (error) {
    if (error instanceof MatDamage) throw damagedMat(name, error.message);
    throw error;
  }
}

/** Takes note of bytes that are held from now on. @throws GnnError DATASET_LIMIT_EXCEEDED */
type Hold = (bytes: number) => void;

/** @throws MatDamage when there are more than any file has */
function* few(elements: Iterable<MatElement>, what: string): Generator<MatElement> {
  let count = 0;
  for (const element of elements) {
    if (count++ === mostNamed) throw new MatDamage(`it has more than ${mostNamed} ${what}`);
    yield element;
  }
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
function variablesOf(view: DataView, called: string, depth: number, hold: Hold): MatVariable[] {
  // What comes behind is read as far as it is needed: cells, of which there may be millions, are not.
  const parts = elementsOf(view);
  const next = (): MatElement | undefined => parts.next().value ?? undefined;
  const [flags, dims, label] = [next(), next(), next()];
  if (!flags || !dims || !label) return [{ kind: "other", name: called }];
  const [flagWord = 0] = readNumbers(flags);
  const shape = [...readNumbers(dims)];
  const name = called === "" ? readText(label) : called;
  if (!shape.every((size) => Number.isInteger(size) && size >= 0))
    throw new MatDamage(`the shape of ${name} is (${shape.join(", ")})`);
  const ofClass = flagWord & 0xff;
  if (ofClass === classes.struct) {
    return depth < mostDepth ? fieldsOf([...few(parts, "fields")], depth, hold) : [{ kind: "other", name }];
  }
  if (flagWord & complexFlag) return [{ kind: "other", name }];
  if (ofClass === classes.sparse) return [sparseOf(name, shape, [next(), next(), next()], hold)];
  if (ofClass < classes.firstNumbers || ofClass > classes.lastNumbers) return [{ kind: "other", name }];
  const values = next();
  if (!values) throw new MatDamage(`the array ${name} has no numbers`);
  const expected = shape.reduce((product, one) => product * one, 1);
  if (countOf(values) !== expected)
    throw new MatDamage(`the array ${name} has ${countOf(values)} numbers where its shape says ${expected}`);
  hold(8 * expected);
  return [{ kind: "numbers", name, shape, values: readNumbers(values) }];
}

/** The fields of a structure; of an array of structures those of the first. */
function fieldsOf([width, names, ...fields]: readonly MatElement[], depth: number, hold: Hold): MatVariable[] {
  if (!width || !names) return [];
  const [bytes = 0] = readNumbers(width);
  if (!(bytes > 0)) throw new MatDamage("the fields of a structure have no names");
  const text = readText(names);
  return fields.slice(0, Math.floor(text.length / bytes)).flatMap((field, i) => {
    const name = text.slice(i * bytes, (i + 1) * bytes).replace(/\0.*$/s, "");
    return field.type === elementTypes.matrix ? variablesOf(field.view, name, depth + 1, hold) : [];
  });
}

function sparseOf(
  name: string,
  [numRows = 0, numColumns = 0]: readonly number[],
  [rows, offsets, values]: readonly (MatElement | undefined)[],
  hold: Hold,
): MatSparse {
  if (!rows || !offsets || !values) throw new MatDamage(`the matrix ${name} is not whole`);
  hold(8 * (countOf(rows) + countOf(offsets) + countOf(values)));
  const found = { rows: readNumbers(rows), offsets: readNumbers(offsets), values: readNumbers(values) };
  return wholeSparse(name, [numRows, numColumns], found);
}

/** What is wrong with a file, and what to do. */
export function damagedMat(file: string, found: string): GnnError {
  const message = `${file} is a damaged MATLAB file: ${found}. Save it again, and upload it once more.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
