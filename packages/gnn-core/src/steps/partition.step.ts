import { defineStep } from "../components/define-step.ts";
import { partitionStepOptions } from "../spec/train-options.ts";
import { logged } from "./logged.ts";

/** `graph`, for tasks on edges with `links` → `parts`: applies the split, cuts the graph, writes a folder per part. */
export const partitionStep = defineStep({
  name: "partition",
  // 2: columns of graphs with several types of edges are sorted by them
  version: 2,
  title: "Partition",
  summary: "Cuts the graph into parts that ranks own, and measures the cut.",
  options: partitionStepOptions,
  inputs: ["graph"],
  readsIfMade: ["links"],
  output: "parts",
  ranks: "one",
  reusable: true,
  run: (context) =>
    logged(
      context,
      "Graph partitioned",
      async () => (await import("./run-partition-step.ts")).runPartitionStep(context),
      ({ numParts, numNodes, numEdges, partitioner, graph, report }) => ({
        partitioner: partitioner.type,
        parts: numParts,
        nodes: numNodes,
        edges: numEdges,
        edgeCut: report.edgeCut,
        ...graph.splits,
      }),
    ),
});
