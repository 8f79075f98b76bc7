import type { Hdf5Slice } from "./hdf5-messages.ts";

/** What is asked for at once, unless a row of chunks needs more. */
const usualBytes = 4 * 2 ** 20;
/** The most that is asked for at once */
const mostBytes = 64 * 2 ** 20;

interface Extent {
  readonly shape: readonly number[];
  readonly itemBytes: number;
  readonly chunks: readonly number[] | null;
}

/**
 * The slices of an array in which its elements lie one after another in C order, and all together are the array.
 * Their ends are those of chunks where that is possible, since a chunk is unpacked again for each slice with a part of
 * it.
 */
export function* slicesOf({ shape, itemBytes, chunks }: Extent): Generator<Hdf5Slice & { readonly bytes: number }> {
  if (shape.includes(0)) return;
  if (shape.length === 0) {
    yield { first: [], count: [], bytes: itemBytes };
    return;
  }
  const inner = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, one) => product * one, itemBytes));
  // The first axis of which one index is little enough
  const axis = inner.findIndex((bytes) => bytes <= usualBytes);
  const step = stepOf(inner[axis]!, chunks?.[axis] ?? 1);
  const outer = shape.slice(0, axis);
  for (let at = 0, all = outer.reduce((product, one) => product * one, 1); at < all; at++) {
    const before = indicesOf(at, outer);
    for (let first = 0; first < shape[axis]!; first += step) {
      const many = Math.min(step, shape[axis]! - first);
      yield {
        first: [...before, first, ...shape.slice(axis + 1).map(() => 0)],
        count: [...outer.map(() => 1), many, ...shape.slice(axis + 1)],
        bytes: many * inner[axis]!,
      };
    }
  }
}

function stepOf(bytes: number, chunk: number): number {
  const usual = Math.max(1, Math.floor(usualBytes / bytes));
  if (chunk * bytes > mostBytes) return usual;
  return chunk * Math.max(1, Math.floor(usual / chunk));
}

/** The indices of the element number `at` in C order. */
function indicesOf(at: number, shape: readonly number[]): number[] {
  const indices: number[] = [];
  for (const size of shape.toReversed()) {
    indices.unshift(at % size);
    at = Math.floor(at / size);
  }
  return indices;
}
