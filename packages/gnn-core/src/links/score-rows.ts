import { tensor2d, tidy } from "../backends/tf.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";
import { type NodeRows, rowsOf } from "./score-pairs.ts";

export interface RowScoring {
  readonly nodes: NodeRows;
  readonly decoder: Pick<LinkDecoder, "scoreAll">;
  /** Bytes of the scores that exist at a time; one row of all nodes always does. Default 64 MiB */
  readonly maxBytes?: number;
}

/** The sources whose scores of all nodes fit into the bound, at least one. */
export function rowsPerBlock({ nodes: { rows, dim }, maxBytes = 2 ** 26 }: RowScoring): number {
  return Math.max(1, Math.floor(maxBytes / (4 * (rows.length / dim))));
}

/**
 * Scores of some sources with every node, block by block: [rowsPerBlock, numNodes] at a time, never all pairs.
 *
 * @param visit gets a view that the next block overwrites
 */
export function scoreRows(
  { nodes, decoder }: RowScoring,
  sources: Int32Array,
  visit: (source: number, scores: Float32Array) => void,
): void {
  const { rows, dim } = nodes;
  const numNodes = rows.length / dim;
  tidy(() => {
    const scores = decoder
      .scoreAll(tensor2d(rowsOf(nodes, sources), [sources.length, dim]), tensor2d(rows, [numNodes, dim]))
      .dataSync<"float32">();
    for (const [i, source] of sources.entries()) visit(source, scores.subarray(i * numNodes, (i + 1) * numNodes));
  });
}
