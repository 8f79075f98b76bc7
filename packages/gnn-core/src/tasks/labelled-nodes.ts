import { type NamedSplit, splitCode } from "../graph/split-nodes.ts";
import type { SeedSource } from "./node-task.ts";

/**
 * The seeds of a task whose seeds are nodes: of each split the labelled ones, as GlobalIds, ascending.
 *
 * @param split int8 [numNodes], one of `splitCode`
 */
export function labelledNodes(split: Int8Array, isLabelled: (node: number) => boolean): SeedSource {
  const found = new Map<NamedSplit, Int32Array>();
  return (name) => {
    const known = found.get(name);
    if (known) return known;
    const code = splitCode[name];
    const nodes = new Int32Array(split.length);
    let count = 0;
    for (let node = 0; node < split.length; node++) if (split[node] === code && isLabelled(node)) nodes[count++] = node;
    const seeds = nodes.slice(0, count);
    found.set(name, seeds);
    return seeds;
  };
}
