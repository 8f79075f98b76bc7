import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodeGroups } from "./node-groups.ts";
import type { ReachedType } from "./reached-types.ts";
import { candidatesAmong, rowsPerBlock } from "./score-rows.ts";
import { type NewLinkScoring, type TopLinks, topNewLinks } from "./top-new-links.ts";

/** The new neighbours of every node, a row each: `perType` of each type that its own reaches, one after another. */
export interface TopOfAll extends Pick<TopLinks, "nodes" | "scores"> {
  /** Width of a row; shorter lists end in −1 and NaN */
  readonly perNode: number;
  /**
   * Where links are told apart by relation: by which each neighbour is reached, the place of its type and relation
   * among those of `RankedNodes.typed`, which count one after another; −1 where there is none. null: they are not
   */
  readonly reachedAt: Int32Array | null;
}

export interface RankedNodes {
  readonly scoring: Omit<NewLinkScoring, "relations">;
  /** Whether a neighbour is found by a relation, the one that scores best. Left out: pairs are all alike */
  readonly tellsRelations?: boolean;
  /** Neighbours listed of each type; 0: none are looked for */
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
  { scoring, perType, typed, tellsRelations = false }: RankedNodes,
  onProgress: (done: number, total: number) => void,
): Promise<TopOfAll> {
  const { numNodes } = scoring.known;
  const searches = perType === 0 ? [] : searchesOf(numNodes, typed, tellsRelations);
  const perNode = perType * (1 + Math.max(0, ...searches.map(({ slot }) => slot)));
  const size = numNodes * perNode;
  const top: TopOfAll = {
    nodes: new Int32Array(size).fill(-1),
    scores: new Float32Array(size).fill(Number.NaN),
    perNode,
    reachedAt: tellsRelations ? new Int32Array(size).fill(-1) : null,
  };
  const total = searches.reduce((sum, { sources }) => sum + sources.length, 0);
  let done = 0;
  for (const { sources, targets, slot, relations, firstReached } of searches) {
    const among = {
      ...scoring,
      ...(targets && { candidates: candidatesAmong(scoring.nodes, targets) }),
      ...(relations && { relations }),
    };
    const perBlock = rowsPerBlock(among);
    for (let first = 0; first < sources.length; first += perBlock) {
      const block = sources.subarray(first, first + perBlock);
      const found = topNewLinks(among, block, perType);
      for (const [row, node] of block.entries()) {
        const [from, to] = [row * perType, node * perNode + slot * perType];
        top.nodes.set(found.nodes.subarray(from, from + perType), to);
        top.scores.set(found.scores.subarray(from, from + perType), to);
        const which = found.which?.subarray(from, from + perType);
        if (which)
          top.reachedAt?.set(
            which.map((at) => (at < 0 ? -1 : firstReached + at)),
            to,
          );
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
  /** null: pairs are all alike */
  readonly relations: Int32Array | null;
  /** Relations of the searches before it */
  readonly firstReached: number;
}

function searchesOf(numNodes: number, typed: RankedNodes["typed"], tellsRelations: boolean): Search[] {
  const alike = { relations: null, firstReached: 0 };
  if (!typed) {
    return [{ ...alike, sources: Int32Array.from({ length: numNodes }, (_, node) => node), targets: null, slot: 0 }];
  }
  const { groups, reached } = typed;
  return reached.map(({ source, target, relations }, at) => {
    const before = reached.slice(0, at);
    return {
      ...alike,
      sources: groups.nodesOf(source),
      targets: groups.nodesOf(target),
      slot: before.filter((one) => one.source === source).length,
      ...(tellsRelations && {
        relations: Int32Array.from(relations),
        firstReached: before.reduce((sum, one) => sum + one.relations.length, 0),
      }),
    };
  });
}
