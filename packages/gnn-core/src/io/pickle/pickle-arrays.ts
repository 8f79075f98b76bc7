import { PickleError } from "./pickle-bytes.ts";
import { PickleDict, PickleObject, type PickleValue } from "./pickle-values.ts";

/** An array of numbers in rows, whatever numpy called its type. */
export interface NumberArray {
  readonly shape: readonly number[];
  readonly values: ArrayLike<number>;
}

type Reading = readonly [bytes: number, read: (view: DataView, at: number, isLittle: boolean) => number];

const readings: Readonly<Record<string, Reading>> = {
  b1: [1, (view, at) => view.getUint8(at)],
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  i2: [2, (view, at, little) => view.getInt16(at, little)],
  u2: [2, (view, at, little) => view.getUint16(at, little)],
  i4: [4, (view, at, little) => view.getInt32(at, little)],
  u4: [4, (view, at, little) => view.getUint32(at, little)],
  i8: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  u8: [8, (view, at, little) => Number(view.getBigUint64(at, little))],
  f4: [4, (view, at, little) => view.getFloat32(at, little)],
  f8: [8, (view, at, little) => view.getFloat64(at, little)],
};

/** A numpy array of real numbers. @throws PickleError */
export function arrayOf(value: PickleValue): NumberArray {
  const { shape, dtype, isFortran, bytes } = partsOf(value);
  const [width, read] = readings[codeOf(dtype)] ?? [];
  if (!width || !read) throw new PickleError(`an array in it is of the type ${codeOf(dtype)}, which holds no numbers`);
  const count = shape.reduce((product, size) => product * size, 1);
  if (count * width !== bytes.length)
    throw new PickleError(`an array in it of shape (${shape.join(", ")}) has ${bytes.length} bytes`);
  if (isFortran && shape.length > 1) throw new PickleError("an array in it is in Fortran order");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = !isBigEndian(dtype);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = read(view, i * width, isLittle);
  return { shape, values };
}

interface ArrayParts {
  readonly shape: readonly number[];
  readonly dtype: PickleObject;
  readonly isFortran: boolean;
  readonly bytes: Uint8Array;
}

/** Its state is (version, shape, dtype, Fortran order, bytes); protocol 5 calls with (bytes, dtype, shape, order). */
function partsOf(value: PickleValue): ArrayParts {
  if (!(value instanceof PickleObject)) throw new PickleError("where an array should be is something else");
  const isBuffer = value.made === "arrayFromBuffer";
  if (!isBuffer && value.made !== "reconstructArray")
    throw new PickleError(`where an array should be is a ${value.made}`);
  const state = isBuffer ? value.args : value.state;
  if (!Array.isArray(state)) throw new PickleError("an array in it is empty");
  const [shape, dtype, order, data] = isBuffer ? [state[2], state[1], state[3] === "F", state[0]] : state.slice(1);
  const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
  const isShape = Array.isArray(shape) && shape.length <= 32 && shape.every((size) => isIndex(size));
  if (!isShape || !(dtype instanceof PickleObject) || dtype.made !== "dtype" || !(bytes instanceof Uint8Array))
    throw new PickleError("an array in it is damaged");
  return { shape, dtype, isFortran: order === true, bytes };
}

function codeOf({ args }: PickleObject): string {
  return typeof args[0] === "string" ? args[0].slice(0, 20) : "?";
}

function isBigEndian({ state }: PickleObject): boolean {
  return Array.isArray(state) && state[1] === ">";
}

/** A sparse matrix of scipy in compressed rows, its arrays unchecked. @throws PickleError */
export function csrOf(value: PickleValue) {
  if (!(value instanceof PickleObject) || value.made !== "csr")
    throw new PickleError("where a CSR matrix should be is something else");
  const { state } = value;
  if (!(state instanceof PickleDict)) throw new PickleError("its matrix is empty");
  const member = (name: string) => state.items.get(name) ?? null;
  const shape = member("_shape") ?? member("shape");
  const [numRows, dim] = Array.isArray(shape) ? shape : [];
  if (typeof numRows !== "number" || typeof dim !== "number") throw new PickleError("its matrix has no shape");
  const [indptr, indices, data] = ["indptr", "indices", "data"].map((name) => arrayOf(member(name)).values);
  return { numRows, dim, indptr: indptr!, indices: indices!, data: data! };
}

/** A dict, or a defaultdict, of lists of whole numbers by whole numbers. @throws PickleError */
export function* neighboursOf(value: PickleValue): Generator<readonly [node: number, neighbours: readonly number[]]> {
  const dict = value instanceof PickleObject ? value.items : value;
  if (!(dict instanceof PickleDict)) throw new PickleError("where a dict of neighbours should be is something else");
  for (const [node, list] of dict.items) {
    if (!isIndex(node) || !Array.isArray(list) || !list.every(isIndex))
      throw new PickleError("a node or a neighbour in it is no whole number");
    yield [node, list];
  }
}

function isIndex(value: PickleValue): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
