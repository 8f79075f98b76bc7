import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodeGroups } from "./node-groups.ts";
import type { PairIndex } from "./pair-index.ts";
import type { ReachedType } from "./reached-types.ts";
import { candidatesAmong, type RowScoring, rowsPerBlock } from "./score-rows.ts";
import { type TopLinks, topNewLinks } from "./top-new-links.ts";

/** The new neighbours of every node, a row each: `perType` of each type that its own reaches, one after another. */
export interface TopOfAll extends TopLinks {
  /** Width of a row; shorter lists end in −1 and NaN */
  readonly perNode: number;
}

export interface RankedNodes {
  readonly scoring: RowScoring & { readonly known: PairIndex };
  /** Neighbours listed of each type */
  readonly perType: number;
  /** What relations lead to; null: nodes are all alike, and any is a candidate */
  readonly typed: { readonly groups: NodeGroups; readonly reached: readonly ReachedType[] } | null;
}

/**
 * `topNewLinks` of every node. Block by block, so that progress is told and a cancelled job ends soon.
 *
 * @param onProgress sources done, of how many; a node counts for each type that it reaches
 */
export async function topOfAll(
  { scoring, perType, typed }: RankedNodes,
  onProgress: (done: number, total: number) => void,
): Promise<TopOfAll> {
  const { numNodes } = scoring.known;
  const searches = searchesOf(numNodes, typed);
  const perNode = perType * (1 + Math.max(...searches.map(({ slot }) => slot)));
  const size = numNodes * perNode;
  const top = { nodes: new Int32Array(size).fill(-1), scores: new Float32Array(size).fill(Number.NaN), perNode };
  const total = searches.reduce((sum, { sources }) => sum + sources.length, 0);
  let done = 0;
  for (const { sources, targets, slot } of searches) {
    const among = targets ? { ...scoring, candidates: candidatesAmong(scoring.nodes, targets) } : scoring;
    const perBlock = rowsPerBlock(among);
    for (let first = 0; first < sources.length; first += perBlock) {
      const block = sources.subarray(first, first + perBlock);
      const found = topNewLinks(among, block, perType);
      for (const [row, node] of block.entries()) {
        const [from, to] = [row * perType, node * perNode + slot * perType];
        top.nodes.set(found.nodes.subarray(from, from + perType), to);
        top.scores.set(found.scores.subarray(from, from + perType), to);
      }
      done += block.length;
      onProgress(done, total);
      await nextTurn();
    }
  }
  return top;
}

/** Whose neighbours are looked for among whom, and which of a node's lists it is */
interface Search {
  readonly sources: Int32Array;
  /** null: all nodes */
  readonly targets: Int32Array | null;
  readonly slot: number;
}

function searchesOf(numNodes: number, typed: RankedNodes["typed"]): Search[] {
  if (!typed) return [{ sources: Int32Array.from({ length: numNodes }, (_, node) => node), targets: null, slot: 0 }];
  const { groups, reached } = typed;
  return reached.map(({ source, target }, at) => ({
    sources: groups.nodesOf(source),
    targets: groups.nodesOf(target),
    slot: reached.slice(0, at).filter((before) => before.source === source).length,
  }));
}
