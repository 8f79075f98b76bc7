import type { KnownPairs } from "./known-pairs.ts";
import type { NodeGroups } from "./node-groups.ts";
import type { NodePairs } from "./node-pairs.ts";

/** Pairs asked for: some for each of some links, with ends of the link's types */
export interface AskedPairs {
  readonly links: NodePairs;
  readonly perLink: number;
}

/**
 * Why pairs without a link cannot be drawn in a few attempts each, with the types between which links lie too close;
 * null: they can, as at least half of those that there are stay.
 *
 * @param relation of which a pair may have no link, where `known` tells them apart
 */
export function pairsLeftObjection(
  known: KnownPairs,
  directed: boolean,
  groups: NodeGroups | null,
  { links, perLink }: AskedPairs,
  relation?: number,
): string | null {
  const typeOf = (node: number) => groups?.typeOf(node) ?? 0;
  const numTypes = groups?.numTypes ?? 1;
  const betweenOf = (src: number, dst: number) => {
    const [a, b] = [typeOf(src), typeOf(dst)];
    return directed || a <= b ? a * numTypes + b : b * numTypes + a;
  };
  const wanted = new Float64Array(numTypes ** 2);
  for (const [link, src] of links.src.entries()) wanted[betweenOf(src, links.dst[link] as number)]! += perLink;
  const linked = new Float64Array(numTypes ** 2);
  for (let src = 0; src < known.numNodes; src++) {
    for (const dst of known.targetsOf(src, relation)) linked[betweenOf(src, dst)]! += 1;
  }
  const size = (type: number) => groups?.nodesOf(type).length ?? known.numNodes;
  for (const [between, asked] of wanted.entries()) {
    const [a, b] = [Math.floor(between / numTypes), between % numTypes];
    const pairs = a === b ? (size(a) * (size(a) - 1)) / (directed ? 1 : 2) : size(a) * size(b);
    // An undirected link stands with both ends; loops make this a few too low, which does no harm.
    const room = Math.max(0, pairs - Math.ceil((linked[between] as number) / (directed ? 1 : 2)));
    if (asked * 2 <= room || asked === 0) continue;
    const found = `${asked} negatives are asked for, and ${room} pairs of ${groups ? typesOf(groups, a, b) : "nodes"} have no link`;
    return `${found}; expected twice as many pairs at least. Ask for fewer, or give them.`;
  }
  return null;
}

function typesOf({ names }: NodeGroups, a: number, b: number): string {
  return `nodes of the types ${names[a]} and ${names[b]}`;
}
