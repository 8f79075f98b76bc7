import { z } from "zod";
import { defineSampler } from "../components/define-sampler.ts";
import { rowsPerSeed } from "../sampling/fanouts.ts";

/** Nodes of a cluster when their number is left to us: near what the paper has for Reddit (1,500 clusters). */
const nodesPerCluster = 150;
const mostClusters = 1500;

/** ClusterGCN. PyG: ClusterData and ClusterLoader; DGL: ClusterGCNSampler. */
export const clusterSampler = defineSampler({
  name: "clusterGcn",
  version: 1,
  title: "Clusters (ClusterGCN)",
  summary: "Each step sees a few clusters of the graph with all edges between them; the batch size is not read.",
  reference: "Chiang et al. 2019, arXiv:1905.07953",
  options: z.strictObject({
    clusters: z
      .enum(["metis", "parts"])
      .default("metis")
      .describe("What the clusters are: cut by METIS for this job, or the parts of its partition"),
    numClusters: z
      .union([z.number().int().min(1).max(100_000), z.literal("auto")])
      .default("auto")
      .describe("Clusters that METIS cuts; auto: one per 150 nodes, at most 1,500"),
    clustersPerBatch: z.number().int().min(1).max(100_000).default(20).describe("Clusters that a step sees together"),
  }),
  plansEpochs: true,
  // No node of a batch is read more often than once; what is not known here is how many of them train.
  rowsPerSeed: (_options, meanDegree) => rowsPerSeed([-1], meanDegree),
  create: async ({ clusters: kind, numClusters, clustersPerBatch }, { graph, numHops, seed, computeOnce }) => {
    const [{ clusterGraph, partOfNodes }, { Clusters }, { createClusterSampler }] = await Promise.all([
      import("./cluster-graph.ts"),
      import("./cluster-batches.ts"),
      import("./cluster-sampler.ts"),
    ]);
    const count = numClusters === "auto" ? automaticClusters(graph.numNodes) : Math.min(numClusters, graph.numNodes);
    const cut = () => clusterGraph(graph, count, seed);
    const clusterOf =
      kind === "parts" ? partOfNodes(graph) : await (computeOnce?.("clusters", graph.numNodes, cut) ?? cut());
    return createClusterSampler({ graph, clusters: new Clusters(clusterOf), clustersPerBatch, numHops, seed });
  },
});

function automaticClusters(numNodes: number): number {
  return Math.max(1, Math.min(mostClusters, Math.round(numNodes / nodesPerCluster)));
}
