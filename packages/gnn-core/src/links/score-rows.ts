import { tensor2d, tidy } from "../backends/tf.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";
import { type NodeRows, rowsOf } from "./score-pairs.ts";

/** Nodes that sources are scored with */
export interface Candidates {
  /** Ascending */
  readonly ids: Int32Array;
  /** float32 [ids, dim], copied from those of all nodes */
  readonly rows: Float32Array;
}

export function candidatesAmong(nodes: NodeRows, ids: Int32Array): Candidates {
  return { ids, rows: rowsOf(nodes, ids) };
}

export interface RowScoring {
  readonly nodes: NodeRows;
  /** Left out: every node */
  readonly candidates?: Candidates;
  readonly decoder: Pick<LinkDecoder, "scoreAll">;
  /** Bytes of the scores that exist at a time; one row of all candidates always does. Default 64 MiB */
  readonly maxBytes?: number;
}

/** The sources whose scores of all candidates fit into the bound, at least one. */
export function rowsPerBlock({ nodes, candidates, maxBytes = 2 ** 26 }: RowScoring): number {
  return Math.max(1, Math.floor(maxBytes / (4 * ((candidates ?? nodes).rows.length / nodes.dim))));
}

/**
 * Scores of some sources with every candidate; as many at a time as `rowsPerBlock` says, never all pairs.
 *
 * @param relations the relation in which each source is scored; null: all in relation 0
 * @param visit     gets a source's place, and a view that the next block overwrites, a score for each candidate
 */
export function scoreRows(
  { nodes, candidates, decoder }: RowScoring,
  sources: Int32Array,
  relations: Int32Array | null,
  visit: (place: number, scores: Float32Array) => void,
): void {
  const { dim } = nodes;
  const { rows } = candidates ?? nodes;
  const count = rows.length / dim;
  tidy(() => {
    const from = tensor2d(rowsOf(nodes, sources), [sources.length, dim]);
    const scores = decoder.scoreAll(from, tensor2d(rows, [count, dim]), relations ?? undefined).dataSync<"float32">();
    for (const place of sources.keys()) visit(place, scores.subarray(place * count, (place + 1) * count));
  });
}
