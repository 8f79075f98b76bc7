import { setImmediate as nextTurn } from "node:timers/promises";
import { tensor2d, tidy } from "../backends/tf.ts";
import { loopback } from "../dist/loopback.ts";
import type { RankContext } from "../dist/rank-context.ts";
import type { LinkDecoder } from "./decoders/link-decoder.ts";
import { type NodePairs, pairsBetween } from "./node-pairs.ts";

/** What a trained encoder gives the decoder: a row for every node. */
export interface NodeRows {
  /** float32 [numNodes, dim] */
  readonly rows: Float32Array;
  readonly dim: number;
}

/** What ranks that share work need of each other */
export type SharingRank = Pick<RankContext, "rank" | "worldSize" | "collective">;

/** A rank that has nobody to share with */
export function alone(): SharingRank {
  return { rank: 0, worldSize: 1, collective: loopback() };
}

/** Floats of the ends' rows that are scored at a time, 32 MiB of each end */
const floatsPerChunk = 2 ** 23;

/**
 * Scores of pairs, in their order. Ranks share the work, a chunk each in turn, and all get all scores, with the same
 * bits on any number of ranks. Memory beside the scores: the rows of one chunk.
 */
export async function scorePairs(
  nodes: NodeRows,
  decoder: Pick<LinkDecoder, "score">,
  pairs: NodePairs,
  rank: SharingRank = alone(),
): Promise<Float32Array> {
  const numPairs = pairs.src.length;
  const scores = new Float32Array(numPairs);
  const chunk = Math.max(1, Math.floor(floatsPerChunk / nodes.dim));
  for (let first = 0, i = 0; first < numPairs; first += chunk, i++) {
    if (i % rank.worldSize !== rank.rank) continue;
    scores.set(scoreChunk(nodes, decoder, pairsBetween(pairs, first, first + chunk)), first);
    await nextTurn();
  }
  await rank.collective.allReduceSum(scores);
  return scores;
}

function scoreChunk(nodes: NodeRows, decoder: Pick<LinkDecoder, "score">, pairs: NodePairs): Float32Array {
  const { src, dst, relations } = pairs;
  // Not returned by `tidy`, which would look for tensors in each score.
  const scores = tidy(() => {
    const [from, to] = [src, dst].map((ids) => tensor2d(rowsOf(nodes, ids), [ids.length, nodes.dim]));
    return decoder.score(from!, to!, relations);
  });
  const values = scores.dataSync<"float32">();
  scores.dispose();
  return values;
}

/** The rows of some nodes, float32 [ids, dim]. */
export function rowsOf({ rows, dim }: NodeRows, ids: Int32Array): Float32Array {
  const taken = new Float32Array(ids.length * dim);
  for (const [i, id] of ids.entries()) taken.set(rows.subarray(id * dim, (id + 1) * dim), i * dim);
  return taken;
}
