import { philox4x32 } from "../random/philox.ts";

/**
 * Fills the row of a global id, zeros at first. It must be a function of the id alone, so that rows do not depend on
 * who owns them.
 */
export interface RowInitializer {
  /** Says what it computes: ranks that create the same rows must agree on it. */
  readonly key: string;
  fill(globalId: number, row: Float32Array): void;
}

/** value everywhere */
export function constantRows(value: number): RowInitializer {
  return { key: `constant ${value}`, fill: (_id, row) => void row.fill(value) };
}

/** Uniform in [low, high): 24 random bits of Philox for each (seed, global id, column). */
export function uniformRows(low: number, high: number, seed: number): RowInitializer {
  return {
    key: `uniform ${low} ${high} ${seed}`,
    fill: (globalId, row) => drawRow(seed, globalId, row, (a) => low + (high - low) * (a >>> 8) * 2 ** -24),
  };
}

/** Normal with mean 0: Box and Muller 1958 over two words of Philox for each (seed, global id, column). */
export function normalRows(deviation: number, seed: number): RowInitializer {
  return {
    key: `normal ${deviation} ${seed}`,
    fill: (globalId, row) =>
      drawRow(seed, globalId, row, (a, b) => {
        // (0, 1]: the logarithm is finite.
        const radius = Math.sqrt(-2 * Math.log(((a >>> 8) + 1) * 2 ** -24));
        return deviation * radius * Math.cos(2 * Math.PI * (b >>> 8) * 2 ** -24);
      }),
  };
}

function drawRow(seed: number, globalId: number, row: Float32Array, value: (a: number, b: number) => number): void {
  const words = new Uint32Array(4);
  for (let column = 0; column < row.length; column += 2) {
    words.set([globalId, column, 0x726f7773, 0]);
    philox4x32(words, seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0);
    const [a, b, c, d] = words as unknown as [number, number, number, number];
    row[column] = value(a, b);
    if (column + 1 < row.length) row[column + 1] = value(c, d);
  }
}
