import type { PartitionInput } from "./partitioner.ts";

/** Stretches of NodeIndexes that stay in one part, such as the graphs of a set, between which there are no edges. */
export interface WholeUnits {
  /** int32 [numUnits + 1], ascending from 0 */
  readonly offsets: Int32Array;
}

/**
 * The graph whose nodes are the units: without edges, each as heavy as its nodes together, so that a partitioner has
 * weights to balance and nothing to cut.
 */
export function contracted(input: PartitionInput, { offsets }: WholeUnits): PartitionInput {
  const numNodes = offsets.length - 1;
  const { numConstraints } = input;
  const nodeWeights = new Int32Array(numNodes * numConstraints);
  for (let unit = 0; unit < numNodes; unit++) {
    for (let i = offsets[unit]! * numConstraints; i < offsets[unit + 1]! * numConstraints; i++) {
      nodeWeights[unit * numConstraints + (i % numConstraints)]! += input.nodeWeights[i]!;
    }
  }
  const empty = { xadj: new Int32Array(numNodes + 1), adjncy: new Int32Array() };
  return {
    ...input,
    numNodes,
    nodeWeights,
    inEdges: { indptr: new BigInt64Array(numNodes + 1), indices: new Int32Array() },
    adjacency: async () => empty,
  };
}

/** The part of every node from those of the units. */
export function expanded(partOf: Int32Array, { offsets }: WholeUnits): Int32Array {
  const assignment = new Int32Array(offsets.at(-1) ?? 0);
  for (let unit = 0; unit < partOf.length; unit++) assignment.fill(partOf[unit]!, offsets[unit], offsets[unit + 1]);
  return assignment;
}
