import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { keyedHash } from "../random/keyed-order.ts";
import { inDegrees } from "../sampling/with-degrees.ts";

/** What tells these draws from others with the same seed. */
const stream = 0x46525031;
/** Digits to the base 6 that are read from a hash of 32 bits; 6^8 is small beside 2^32, so that all are alike. */
const digitsPerHash = 8;
const unit = Math.sqrt(3);

export interface VerySparseRowsOptions {
  readonly numRows: number;
  readonly dim: number;
  readonly seed: number;
  /** β: a row is multiplied by (d_v / mean degree)^β */
  readonly normalizationStrength: number;
}

/**
 * Rows of a very sparse random projection, each multiplied by its node's degree to a power; never stored:
 *   x_v = (d_v/d̄)^β · √3 · r_v,  each number of r_v +1 or −1 with probability 1/6 each, else 0
 * Li, Hastie and Church 2006 with s = 3; Chen et al. 2019, FastRP (arXiv:1908.11512), whose 2m in place of the mean
 * degree d̄ multiplies all rows by the same number. A node without in-edges counts as one of degree 1. Numbers are a
 * function of the seed and the GlobalId, so that any number of ranks has the same bits.
 */
export class VerySparseRows implements FeatureStore {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  readonly #options: VerySparseRowsOptions;
  readonly #graph: CscGraph;

  constructor(graph: CscGraph, options: VerySparseRowsOptions) {
    this.numRows = options.numRows;
    this.dim = options.dim;
    this.#options = options;
    this.#graph = graph;
  }

  /** The rows without their degrees, which only `gatherAsync` can ask for. */
  gather(globalIds: Int32Array): Extract<FeatureRows, { kind: "dense" }> {
    const { dim, seed } = this.#options;
    const values = new Float32Array(globalIds.length * dim);
    for (let row = 0; row < globalIds.length; row++) drawRow(values, row * dim, dim, [seed, globalIds[row] as number]);
    return { kind: "dense", numRows: globalIds.length, dim, values };
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const { dim, normalizationStrength: strength } = this.#options;
    const rows = this.gather(globalIds);
    if (strength === 0) return rows;
    const { numEdges, numNodes } = this.#graph;
    const mean = numEdges / Math.max(1, numNodes) || 1;
    const degrees = await inDegrees(this.#graph, globalIds.slice());
    for (let row = 0; row < degrees.length; row++) {
      const scale = ((degrees[row] as number) || 1) / mean;
      const factor = scale ** strength;
      for (let i = row * dim; i < (row + 1) * dim; i++) rows.values[i]! *= factor;
    }
    return rows;
  }
}

function drawRow(into: Float32Array, at: number, dim: number, [seed, node]: readonly [number, number]): void {
  for (let first = 0; first < dim; first += digitsPerHash) {
    let rest = keyedHash(stream, seed, node, first);
    const end = Math.min(first + digitsPerHash, dim);
    for (let column = first; column < end; column++) {
      const scaled = rest * 6;
      const digit = Math.floor(scaled / 2 ** 32);
      rest = scaled - digit * 2 ** 32;
      if (digit < 2) into[at + column] = digit === 0 ? unit : -unit;
    }
  }
}
