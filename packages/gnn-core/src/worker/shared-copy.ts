import { setImmediate as nextTurn } from "node:timers/promises";

const sliceBytes = 4 * 2 ** 20;

/**
 * Copies a value with every array of numbers in it on shared memory, so that a worker thread reads it without a copy
 * of its own. What lies on shared memory already is taken as it is. Copies in slices and lets the event loop turn
 * between them. Plain objects and arrays are followed; everything else is kept.
 *
 * @throws the reason of `signal` when it is aborted
 */
export async function sharedCopy<T>(value: T, signal: AbortSignal): Promise<T> {
  return (await copyOf(value, signal)) as T;
}

async function copyOf(value: unknown, signal: AbortSignal): Promise<unknown> {
  if (isTypedArray(value)) return copyArray(value, signal);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await copyOf(item, signal));
    return items;
  }
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) copy[key] = await copyOf(item, signal);
  return copy;
}

type TypedArray = Uint8Array | Int8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | BigInt64Array;

function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

async function copyArray(array: TypedArray, signal: AbortSignal): Promise<TypedArray> {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const source = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const target = new SharedArrayBuffer(array.byteLength);
  const bytes = new Uint8Array(target);
  for (let begin = 0; begin < source.length; begin += sliceBytes) {
    if (begin > 0) await nextTurn();
    signal.throwIfAborted();
    bytes.set(source.subarray(begin, begin + sliceBytes), begin);
  }
  const constructor = array.constructor as new (buffer: SharedArrayBuffer) => TypedArray;
  return new constructor(target);
}
