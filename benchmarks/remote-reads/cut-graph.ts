import { join } from "node:path";
import type { PartitionerComponent } from "../../packages/gnn-core/src/components/define-partitioner.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import type { ShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import type { GraphArtifact } from "../../packages/gnn-core/src/partition/graph-artifact.ts";
import { metisPartitioner } from "../../packages/gnn-core/src/partition/metis.partitioner.ts";
import { partitionGraph } from "../../packages/gnn-core/src/partition/partition-graph.ts";
import { randomPartitioner } from "../../packages/gnn-core/src/partition/random.partitioner.ts";
import { asArtifact } from "../../packages/gnn-core/test/support/graph-artifact.ts";

/** Without features it is cut with rows of one column, where rows are counted and not bytes. */
export type SplitGraph = Pick<ShapedGraph, "graph" | "split"> & Partial<ShapedGraph>;

export const partitioners = { metis: metisPartitioner, random: randomPartitioner } as unknown as Record<
  "metis" | "random",
  PartitionerComponent
>;

/** Writes the parts of a graph as the partition step does. */
export async function cutGraph(
  data: SplitGraph,
  partitioner: PartitionerComponent,
  numParts: number,
  dir: string,
): Promise<ArtifactDir> {
  const { numNodes } = data.graph;
  const outDir = join(dir, `${partitioner.name}-${numParts}`);
  const draft = await partitionGraph({
    graph: asGraphArtifact(data),
    partitioner,
    options: partitioner.options.parse({ numParts }),
    split: data.split,
    outDir,
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  process.stderr.write(`${partitioner.name}: ${numNodes} nodes in ${numParts} parts\n`);
  return asArtifact("parts", outDir, draft);
}

function asGraphArtifact({
  graph,
  split,
  featureDim = 1,
  features,
  labels,
  numClasses = 1,
}: SplitGraph): GraphArtifact {
  const { numNodes, numEdges, parts } = graph;
  const { indptr, indices } = parts[0] as CscGraph["parts"][number];
  return {
    facts: {
      numNodes,
      numEdges,
      idType: "int64",
      directed: true,
      features: { kind: "dense", dim: featureDim },
      classes: Array.from({ length: numClasses }, (_, i) => `c${i}`),
      multiLabel: false,
      targets: [],
      edgeTypes: ["edge"],
      nodeTypes: ["node"],
    },
    indptr,
    indices,
    weights: null,
    edgeTypes: null,
    edgeFeatures: null,
    nodeTypes: null,
    features: new DenseFeatureStore(featureDim, [features ?? new Float32Array(numNodes)]),
    labels: labels ?? new Int32Array(numNodes),
    labelSets: null,
    targets: null,
    split,
  };
}
