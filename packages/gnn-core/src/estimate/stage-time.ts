import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** Seconds of one thread, fitted as those of training were (estimate-time.ts). */
const seconds = {
  /** Five stages beside training: each is handed out, starts, publishes what it made and is persisted. */
  stages: 0.5,
  /** An edge that is written as the one part, or assigned to one of several by a partitioner that looks at it. */
  edge: 2e-7,
  cutEdge: 4.5e-7,
  /** A row of the results with its id, and each of its numbers: inferred, put in the user's order and exported. */
  row: 7.5e-6,
  value: 1.7e-7,
} as const;

/**
 * The time of the stages before and after training: partition, infer, remap, project and export. A partition that an
 * earlier job has made is counted none the less.
 *
 * @param passSeconds one pass over all nodes; inference reads and writes their rows, too, which takes as long again
 */
export function stageLines(input: EstimateInput, passSeconds: number): EstimateLine[] {
  const { graph, hiddenFeats, ranks, threadsPerRank } = input;
  const edge = ranks > 1 ? seconds.cutEdge : seconds.edge;
  const rows = graph.numNodes * (seconds.row + (hiddenFeats + graph.numClasses) * seconds.value);
  return [
    { of: "stageOverhead", what: "the stages before and after training, whatever their size", amount: seconds.stages },
    { of: "stageTime", what: "partitioning", amount: graph.numEdges * edge },
    { of: "stageTime", what: "inference, a pass over all nodes", amount: (2 * passSeconds) / threadsPerRank },
    { of: "stageTime", what: "rows of the results, written and exported", amount: rows },
  ];
}
