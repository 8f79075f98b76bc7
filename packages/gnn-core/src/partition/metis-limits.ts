import { GnnError } from "../errors/gnn-error.ts";
import { weightTotals } from "./balance-weights.ts";

const largestInt32 = 2 ** 31 - 1;

export interface MetisSize {
  readonly numNodes: number;
  /** Directed entries of the undirected graph: two for every edge */
  readonly numEntries: number;
  readonly numConstraints: number;
}

/**
 * Peak bytes of METIS' process, its copy of the graph included. Measured with three weights on 1M nodes and 31.4M
 * entries (`script/bench partition`): 1,663 MiB, for which this gives 1,934; graphs that coarsen badly take more.
 */
export function metisBytes({ numNodes, numEntries, numConstraints }: MetisSize): number {
  return numNodes * (72 + 24 * numConstraints) + numEntries * 60;
}

/** @throws GnnError PARTITION_TOO_LARGE when METIS would need more than `availableBytes` */
export function checkMetisMemory(size: MetisSize, availableBytes: number): void {
  const bytes = metisBytes(size);
  if (bytes <= availableBytes) return;
  throw new GnnError(
    "PARTITION_TOO_LARGE",
    `METIS would need about ${gigabytes(bytes)} for ${size.numNodes} nodes and ${size.numEntries} adjacency entries; ` +
      `${gigabytes(availableBytes)} are free. Use the streaming partitioner, whose memory does not grow with the edges, or more memory.`,
  );
}

/** METIS adds up weights in 32 bits. @throws GnnError PARTITION_TOO_LARGE */
export function checkMetisWeights(nodeWeights: Int32Array, numConstraints: number): void {
  const largest = Math.max(...weightTotals(nodeWeights, numConstraints));
  if (largest <= largestInt32) return;
  throw new GnnError(
    "PARTITION_TOO_LARGE",
    `What the parts would share adds up to ${largest}, more than the 2^31 - 1 that METIS' 32-bit weights hold; ` +
      "leave inEdges out of the balance, or use the streaming partitioner.",
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
