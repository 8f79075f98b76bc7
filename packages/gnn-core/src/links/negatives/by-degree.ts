import { keyedHash } from "../../random/keyed-order.ts";
import type { NodeGroups } from "../node-groups.ts";
import { corruptingTails, type NegativeOptions } from "./draw-pairs.ts";
import type { NegativeSampler } from "./negative-sampler.ts";

const salt = 0x64656772;

/**
 * Replaces the target by a node of its type drawn in proportion to degree^power, the degree being how many training
 * links end in the node: P(v) ∝ d(v)^0.75. Memory: 8 bytes per node.
 * Mikolov et al. 2013 (arXiv:1310.4546), section 2.2.
 */
export function tailsByDegree(options: NegativeOptions & { readonly power?: number }): NegativeSampler {
  const { seed, seen, groups = null, power = 0.75 } = options;
  const degrees = seen.degreesIn();
  const pools = poolsOf(seen.numNodes, groups).map((pool) => ({ ...pool, sums: sumsOf(pool, degrees, power) }));
  return corruptingTails(options, ({ batch: { links, epoch, ids }, place, j }) => {
    const type = groups?.typeOf(links.dst[place] as number) ?? 0;
    const { sums, nodeAt } = pools[type] as (typeof pools)[number];
    const drawn = (keyedHash(seed, salt, epoch, ids[place] as number, j) / 2 ** 32) * (sums.at(-1) as number);
    return nodeAt(firstAbove(sums, drawn));
  });
}

/** Nodes to draw from */
interface Pool {
  readonly size: number;
  readonly nodeAt: (place: number) => number;
}

function poolsOf(numNodes: number, groups: NodeGroups | null): Pool[] {
  if (!groups) return [{ size: numNodes, nodeAt: (place) => place }];
  return Array.from({ length: groups.numTypes }, (_, type) => {
    const nodes = groups.nodesOf(type);
    return { size: nodes.length, nodeAt: (place) => nodes[place] as number };
  });
}

/** Running sums of what each node weighs. */
function sumsOf({ size, nodeAt }: Pool, degrees: Int32Array, power: number): Float64Array {
  let total = 0;
  return Float64Array.from({ length: size }, (_, place) => {
    const degree = degrees[nodeAt(place)] as number;
    total += degree === 0 ? 0 : degree ** power;
    return total;
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
