import { setImmediate as nextTurn } from "node:timers/promises";
import type { NodeRange } from "../graph/csc-graph.ts";

export interface ChunkOptions {
  /** Nodes computed at a time; bounds the memory, does not change the result. */
  readonly chunkSize?: number;
  readonly signal: AbortSignal;
}

/**
 * The chunks of a rank's nodes, one after the other; timers and messages get their turn between them. Ends early when
 * this rank was told to stop: its caller tells the others.
 */
export async function forEachChunk(
  { chunkSize = 4096, signal }: ChunkOptions,
  { first, count }: NodeRange,
  work: (firstNode: number, count: number) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < count && !signal.aborted; done += chunkSize) {
    await work(first + done, Math.min(chunkSize, count - done));
    await nextTurn();
  }
}
