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
 * @param visit gets a view that the next block overwrites, a score for each candidate
 */
export function scoreRows(
  { nodes, candidates, decoder }: RowScoring,
  sources: Int32Array,
  visit: (source: number, scores: Float32Array) => void,
): void {
  const { dim } = nodes;
  const { rows } = candidates ?? nodes;
  const count = rows.length / dim;
  tidy(() => {
    const scores = decoder
      .scoreAll(tensor2d(rowsOf(nodes, sources), [sources.length, dim]), tensor2d(rows, [count, dim]))
      .dataSync<"float32">();
    for (const [i, source] of sources.entries()) visit(source, scores.subarray(i * count, (i + 1) * count));
  });
}
