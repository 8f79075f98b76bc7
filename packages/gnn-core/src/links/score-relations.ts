import { type RowScoring, rowsPerBlock, scoreRows } from "./score-rows.ts";

/** The sources whose scores in one relation, and the best so far, fit into the bound; at least one. */
export function rowsPerRelationBlock(scoring: RowScoring): number {
  return Math.max(1, Math.floor(rowsPerBlock(scoring) / 3));
}

/**
 * Scores of some sources with every candidate, in that of some relations in which each pair scores best; of equal
 * scores the first counts.
 *
 * @param visit gets a source's place, and views that the next block overwrites: for each candidate the best score, and
 * the place of its relation among `relations`
 */
export function scoreInRelations(
  scoring: RowScoring,
  sources: Int32Array,
  relations: Int32Array,
  visit: (place: number, scores: Float32Array, which: Int32Array) => void,
): void {
  const { nodes, candidates } = scoring;
  const count = (candidates ?? nodes).rows.length / nodes.dim;
  const best = new Float32Array(sources.length * count).fill(Number.NEGATIVE_INFINITY);
  const which = new Int32Array(best.length);
  for (const [at, relation] of relations.entries()) {
    scoreRows(scoring, sources, new Int32Array(sources.length).fill(relation), (place, scores) => {
      const first = place * count;
      for (let i = 0; i < count; i++) {
        const score = scores[i] as number;
        if (!(score > (best[first + i] as number))) continue;
        best[first + i] = score;
        which[first + i] = at;
      }
    });
  }
  for (const place of sources.keys()) {
    const at = [place * count, (place + 1) * count] as const;
    visit(place, best.subarray(...at), which.subarray(...at));
  }
}
