import { type Rank, tensor1d, tensor2d, tidy, type Variable, variable } from "../backends/tf.ts";
import { hashText } from "../random/hash-text.ts";
import { philox4x32 } from "../random/philox.ts";

/** A trainable array and its stable name; tfjs' own names are numbered per process. */
export interface NamedVariable<R extends Rank = Rank> {
  readonly name: string;
  readonly variable: Variable<R>;
}

/**
 * Glorot-uniform weights: U(−a, a), a = √(6 / (inDim + outDim)). Every element is a function of (seed, name, its
 * position): the same bits on every machine and rank.
 * Glorot and Bengio 2010, equation 16.
 *
 * @param fanIn  inDim of the matrix that these are some rows of, of all or of each row; left out: they are all of it
 */
export function glorotUniform(
  name: string,
  inDim: number,
  outDim: number,
  seed: number,
  fanIn: number | ((row: number) => number) = inDim,
): NamedVariable<Rank.R2> {
  const values = new Float32Array(inDim * outDim);
  const limitOf = (rows: number) => Math.sqrt(6 / (rows + outDim));
  const limits =
    typeof fanIn === "number" ? null : Float64Array.from({ length: inDim }, (_, row) => limitOf(fanIn(row)));
  const limit = typeof fanIn === "number" ? limitOf(fanIn) : 0;
  const key = hashText(name);
  const words = new Uint32Array(4);
  for (let i = 0; i < values.length; i++) {
    if (i % 4 === 0) {
      words.set([i / 4, 0, 0, 0]);
      philox4x32(words, seed, key);
    }
    const scale = limits ? (limits[Math.floor(i / outDim)] as number) : limit;
    values[i] = (2 * (((words[i % 4] as number) + 0.5) / 2 ** 32) - 1) * scale;
  }
  return { name, variable: tidy(() => variable(tensor2d(values, [inDim, outDim]))) };
}

/** `dim` zeros: the usual start of a bias. */
export function zeros(name: string, dim: number): NamedVariable<Rank.R1> {
  return filled(name, dim, 0);
}

/** `dim` times the same value. */
export function filled(name: string, dim: number, value: number): NamedVariable<Rank.R1> {
  return { name, variable: tidy(() => variable(tensor1d(new Float32Array(dim).fill(value)))) };
}
