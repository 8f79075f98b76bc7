import type { PairIndex } from "./pair-index.ts";
import { type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

export interface TopLinks {
  /** int32 [sources · k], best first; −1 where a source has fewer candidates */
  readonly nodes: Int32Array;
  /** float32 [sources · k], NaN where there is none */
  readonly scores: Float32Array;
}

/**
 * The k candidates that each source is likeliest linked with and is not yet: neither known links nor the source itself.
 * Equal scores go by the smaller id. Memory: `maxBytes` and 8 bytes per result; ranks may take sources of their own.
 */
export function topNewLinks(
  scoring: RowScoring & { readonly known: PairIndex },
  sources: Int32Array,
  k: number,
): TopLinks {
  const top = {
    nodes: new Int32Array(sources.length * k).fill(-1),
    scores: new Float32Array(sources.length * k).fill(Number.NaN),
  };
  const { candidates } = scoring;
  const idAt = (place: number) => (candidates ? (candidates.ids[place] as number) : place);
  const perBlock = rowsPerBlock(scoring);
  let row = 0;
  for (let first = 0; first < sources.length; first += perBlock) {
    scoreRows(scoring, sources.subarray(first, first + perBlock), (source, scores) => {
      const without = new Set([source, ...scoring.known.targetsOf(source)]);
      const at = [row * k, (row + 1) * k] as const;
      row += 1;
      keepBest(scores, idAt, without, { nodes: top.nodes.subarray(...at), scores: top.scores.subarray(...at) });
    });
  }
  return top;
}

/** Inserts what is better than the worst of the best so far: few of many nodes are. */
function keepBest(
  scores: Float32Array,
  idAt: (place: number) => number,
  without: ReadonlySet<number>,
  best: TopLinks,
): void {
  const k = best.nodes.length;
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
    }
    best.nodes[at] = node;
    best.scores[at] = score;
    count = Math.min(k, count + 1);
  }
}
