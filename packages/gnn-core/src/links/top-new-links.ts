import type { KnownPairs } from "./known-pairs.ts";
import { rowsPerRelationBlock, scoreInRelations } from "./score-relations.ts";
import { type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface TopLinks {
  /** int32 [sources · k], best first; −1 where a source has fewer candidates */
  readonly nodes: Int32Array;
  /** float32 [sources · k], NaN where there is none */
  readonly scores: Float32Array;
  /** int32 [sources · k], the place of the relation that scores best, −1 where there is none; null: none was named */
  readonly which: Int32Array | null;
}

export interface NewLinkScoring extends RowScoring {
  /** Links that there are, whatever their relation */
  readonly known: KnownPairs;
  /** A pair counts by the best of its scores in these relations. Left out: all pairs are alike */
  readonly relations?: Int32Array;
}

/**
 * The k candidates that each source is likeliest linked with and is not yet: neither known links nor the source itself.
 * Equal scores go by the smaller id. Memory: `maxBytes` and 12 bytes per result; ranks may take sources of their own.
 */
export function topNewLinks(scoring: NewLinkScoring, sources: Int32Array, k: number): TopLinks {
  const { candidates, relations } = scoring;
  const top: TopLinks = {
    nodes: new Int32Array(sources.length * k).fill(-1),
    scores: new Float32Array(sources.length * k).fill(Number.NaN),
    which: relations ? new Int32Array(sources.length * k).fill(-1) : null,
  };
  const idAt = (place: number) => (candidates ? (candidates.ids[place] as number) : place);
  const perBlock = relations ? rowsPerRelationBlock(scoring) : rowsPerBlock(scoring);
  for (let first = 0; first < sources.length; first += perBlock) {
    const block = sources.subarray(first, first + perBlock);
    const keep = (place: number, scores: Float32Array, which: Int32Array | null) => {
      const source = block[place] as number;
      const without = new Set([source, ...scoring.known.targetsOf(source)]);
      const at = [(first + place) * k, (first + place + 1) * k] as const;
      const best = { nodes: top.nodes.subarray(...at), scores: top.scores.subarray(...at) };
      const places = keepBest(scores, idAt, without, best);
      if (which)
        top.which?.set(
          places.map((candidate) => which[candidate] as number),
          at[0],
        );
    };
    if (relations) scoreInRelations(scoring, block, relations, keep);
    else scoreRows(scoring, block, null, (place, scores) => keep(place, scores, null));
  }
  return top;
}

/**
 * Inserts what is better than the worst of the best so far: few of many nodes are.
 *
 * @returns the places of what was kept, best first
 */
function keepBest(
  scores: Float32Array,
  idAt: (place: number) => number,
  without: ReadonlySet<number>,
  best: Pick<TopLinks, "nodes" | "scores">,
): number[] {
  const k = best.nodes.length;
  const places: number[] = [];
  let count = 0;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] as number;
    const mayEnter = count < k || score > (best.scores[k - 1] as number);
    if (!mayEnter || Number.isNaN(score)) continue;
    const node = idAt(place);
    if (without.has(node)) continue;
    let at = Math.min(count, k - 1);
    for (; at > 0 && score > (best.scores[at - 1] as number); at--) {
      best.nodes[at] = best.nodes[at - 1] as number;
      best.scores[at] = best.scores[at - 1] as number;
      places[at] = places[at - 1] as number;
    }
    best.nodes[at] = node;
    best.scores[at] = score;
    places[at] = place;
    count = Math.min(k, count + 1);
  }
  return places;
}
