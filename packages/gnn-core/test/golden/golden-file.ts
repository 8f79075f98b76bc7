import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import type { Block } from "../../src/graph/block.ts";
import { blockOf } from "../support/random-block.ts";

export interface GoldenArray {
  readonly shape: number[];
  readonly values: Float64Array;
}

const views = { "<f4": Float32Array, "<f8": Float64Array, "<i4": Int32Array } as const;

/** The arrays of one case, by name. */
export class GoldenCase {
  readonly #arrays = new Map<string, GoldenArray>();

  constructor(file: string, name: string) {
    const members = unzipSync(readFileSync(new URL(`data/${file}.npz`, import.meta.url)), {
      filter: (member) => member.name.startsWith(`${name}/`),
    });
    for (const [path, bytes] of Object.entries(members)) {
      this.#arrays.set(path.slice(name.length + 1, -".npy".length), arrayOf(bytes, path));
    }
  }

  get(name: string): GoldenArray {
    const found = this.#arrays.get(name);
    if (!found) throw new Error(`there is no ${name}; there are ${[...this.#arrays.keys()].join(", ")}`);
    return found;
  }

  ints(name: string): Int32Array {
    return Int32Array.from(this.get(name).values);
  }

  /** The graph by dst, with in-degrees, and the position in the file of each of its edges. */
  graph(keep: (src: number, dst: number) => boolean = () => true): { block: Block; order: Int32Array } {
    const [src, dst] = [this.ints("src"), this.ints("dst")];
    const [numSrc, numDst] = [this.ints("num_src")[0]!, this.ints("num_dst")[0]!];
    const edges = Array.from(src.keys()).filter((e) => keep(src[e]!, dst[e]!));
    const byDst = Array.from({ length: numDst }, (_, v) => edges.filter((e) => dst[e] === v));
    const block = blockOf(
      numSrc,
      byDst.map((list) => list.map((e) => src[e]!)),
    );
    const srcDegrees = Float32Array.from({ length: numSrc }, (_, v) => byDst[v]?.length ?? 0);
    return { block: { ...block, srcDegrees }, order: Int32Array.from(byDst.flat()) };
  }
}

function arrayOf(bytes: Uint8Array, name: string): GoldenArray {
  const { shape, descr, offset } = headerOf(bytes, name);
  const body = bytes.slice(offset).buffer;
  return { shape, values: Float64Array.from(new views[descr](body)) };
}

function headerOf(bytes: Uint8Array, name: string): { shape: number[]; descr: keyof typeof views; offset: number } {
  const length = bytes[8]! + 256 * bytes[9]!;
  const text = new TextDecoder().decode(bytes.subarray(10, 10 + length));
  const descr = /'descr': '([^']+)'/.exec(text)?.[1];
  const shape = /'shape': \(([^)]*)\)/.exec(text)?.[1];
  if (shape === undefined || !(descr === "<f4" || descr === "<f8" || descr === "<i4"))
    throw new Error(`${name}: ${text}`);
  const sizes = shape.split(",").filter((part) => part.trim() !== "");
  return { shape: sizes.map(Number), descr, offset: 10 + length };
}
