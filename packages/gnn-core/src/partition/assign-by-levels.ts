import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { inducedSubgraph } from "../graph/induced-subgraph.ts";
import { weightTotals } from "./balance-weights.ts";
import type { PartitionInput } from "./partitioner.ts";

/**
 * Cuts the graph into hosts first, then the nodes of each host into its parts: few edges between hosts matter more than
 * few between the parts of one. Part p lies on host ⌊p / partsPerHost⌋.
 *
 * @param assign cuts a graph in one level
 * @returns int32 [numNodes], the part of each node
 * @throws GnnError SPEC_INVALID when the parts do not fill their hosts
 */
export async function assignByLevels(
  input: PartitionInput,
  partsPerHost: number,
  assign: (input: PartitionInput) => Promise<Int32Array>,
): Promise<Int32Array> {
  const { numNodes, numParts } = input;
  if (numParts % partsPerHost !== 0) {
    throw new GnnError("SPEC_INVALID", `${numParts} parts do not fill hosts of ${partsPerHost}; give a divisor.`, {
      place: { pointer: "/partition/options/partsPerHost" },
    });
  }
  if (partsPerHost === 1 || partsPerHost === numParts) return assign(input);
  const hostOf = await assign({ ...input, numParts: numParts / partsPerHost });
  const assignment = new Int32Array(numNodes);
  for (let host = 0; host < numParts / partsPerHost; host++) {
    const nodes = Int32Array.from(hostOf.keys()).filter((node) => hostOf[node] === host);
    if (nodes.length === 0) continue;
    const inside = await assign(await inputOf(input, nodes, partsPerHost));
    for (const [i, node] of nodes.entries()) assignment[node] = host * partsPerHost + inside[i]!;
  }
  return assignment;
}

/** What a partitioner sees of some nodes and the edges between them. */
async function inputOf(input: PartitionInput, nodes: Int32Array, numParts: number): Promise<PartitionInput> {
  const { numNodes, inEdges } = input;
  const whole = { firstNode: 0, numNodes, ...inEdges, weights: null };
  const graph = await inducedSubgraph(
    { device: "cpu", numNodes, numEdges: inEdges.indices.length, parts: [whole] },
    nodes,
  );
  const { indptr, indices } = graph.parts[0]!;
  return {
    ...input,
    ...weightsOf(input, nodes),
    numNodes: nodes.length,
    numParts,
    inEdges: { indptr, indices },
    adjacency: () => native(() => loadAddon().symmetrize(indptr, indices)),
  };
}

/** Weights of some nodes; what none of them has is left out, and without anything every node weighs 1. */
function weightsOf({ nodeWeights, numConstraints }: PartitionInput, nodes: Int32Array) {
  const taken = new Int32Array(nodes.length * numConstraints);
  for (const [i, node] of nodes.entries()) {
    taken.set(nodeWeights.subarray(node * numConstraints, (node + 1) * numConstraints), i * numConstraints);
  }
  const columns = [...weightTotals(taken, numConstraints)].flatMap((total, c) => (total > 0 ? [c] : []));
  if (columns.length === 0) return { nodeWeights: new Int32Array(nodes.length).fill(1), numConstraints: 1 };
  if (columns.length === numConstraints) return { nodeWeights: taken, numConstraints };
  const width = columns.length;
  const kept = new Int32Array(nodes.length * width).map(
    (_, i) => taken[Math.floor(i / width) * numConstraints + columns[i % width]!]!,
  );
  return { nodeWeights: kept, numConstraints: width };
}
