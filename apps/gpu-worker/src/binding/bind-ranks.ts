import type { NumaNode } from "./numa-nodes.ts";

/** `nodes`: to the cores of the rank's NUMA nodes. `cores`: each rank to cores of its own among these. */
export type BindBy = "nodes" | "cores";

export interface RankBinding {
  readonly nodes: readonly number[];
  readonly cpus: readonly number[];
}

/**
 * Which CPUs each rank of a host runs on. Ranks are spread over the nodes in order, as evenly as they go: several share
 * a node, or one has several. Memory follows: what a rank touches first lies on its node.
 *
 *   2 nodes of 4 CPUs, 4 ranks, by cores: 0-1, 2-3, 4-5, 6-7; by nodes: 0-3, 0-3, 4-7, 4-7
 */
export function bindRanks(nodes: readonly NumaNode[], numRanks: number, by: BindBy): RankBinding[] {
  const firsts = Array.from({ length: numRanks + 1 }, (_, rank) => Math.floor((rank * nodes.length) / numRanks));
  return Array.from({ length: numRanks }, (_, rank) => {
    const first = firsts[rank] as number;
    const own = nodes.slice(first, Math.max(first + 1, firsts[rank + 1] as number));
    const all = own.flatMap(({ cpus }) => cpus);
    const sharers = firsts.slice(0, numRanks).flatMap((other, index) => (other === first ? [index] : []));
    const cpus = by === "nodes" ? all : shareOf(all, sharers.indexOf(rank), sharers.length);
    return { nodes: own.map(({ id }) => id), cpus };
  });
}

/** The share of one of several; more sharers than CPUs take turns. */
function shareOf(cpus: readonly number[], index: number, count: number): readonly number[] {
  if (count > cpus.length) return cpus.slice(index % cpus.length, (index % cpus.length) + 1);
  return cpus.slice(Math.floor((index * cpus.length) / count), Math.floor(((index + 1) * cpus.length) / count));
}
