import { keyedHash } from "../../random/keyed-order.ts";
import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

const salt = 0x64656772;

/**
 * Replaces the target by a node drawn in proportion to degree^power, its links being those of the training side:
 * P(v) ∝ d(v)^0.75. Memory: 8 bytes per node.
 * Mikolov et al. 2013 (arXiv:1310.4546), section 2.2.
 */
export function tailsByDegree(options: NegativeOptions & { readonly power?: number }): NegativeSampler {
  const { seed, seen, power = 0.75 } = options;
  const sums = new Float64Array(seen.numNodes);
  let total = 0;
  for (let node = 0; node < seen.numNodes; node++) {
    const degree = seen.targetsOf(node).length;
    total += degree === 0 ? 0 : degree ** power;
    sums[node] = total;
  }
  return corruptingTails(options, ({ batch, place, j }) => {
    const drawn = (keyedHash(seed, salt, batch.epoch, batch.ids[place] as number, j) / 2 ** 32) * total;
    return firstAbove(sums, drawn);
  });
}

/** Index of the first entry above the value, of ascending entries of which the last is. */
function firstAbove(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] as number) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
