import { join } from "node:path";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import type { GraphArtifact } from "../../packages/gnn-core/src/partition/graph-artifact.ts";
import { metisPartitioner } from "../../packages/gnn-core/src/partition/metis.partitioner.ts";
import { partitionGraph } from "../../packages/gnn-core/src/partition/partition-graph.ts";
import { randomPartitioner } from "../../packages/gnn-core/src/partition/random.partitioner.ts";
import type { PartitionerComponent } from "../../packages/gnn-core/src/spec/define-partitioner.ts";
import { asArtifact } from "../../packages/gnn-core/test/support/graph-artifact.ts";

export interface SplitGraph {
  readonly graph: CscGraph;
  readonly split: Int8Array;
}

export const partitioners = { metis: metisPartitioner, random: randomPartitioner } as unknown as Record<
  "metis" | "random",
  PartitionerComponent
>;

/** Writes the parts of a graph as the partition step does, with feature rows of one column: rows are counted, not bytes. */
export async function cutGraph(
  { graph, split }: SplitGraph,
  partitioner: PartitionerComponent,
  numParts: number,
  dir: string,
): Promise<ArtifactDir> {
  const { numNodes } = graph;
  const outDir = join(dir, partitioner.name);
  const draft = await partitionGraph({
    graph: asGraphArtifact(graph, split),
    partitioner,
    options: partitioner.options.parse({ numParts }),
    split,
    outDir,
    onEvent: () => {},
    signal: new AbortController().signal,
  });
  process.stderr.write(`${partitioner.name}: ${numNodes} nodes in ${numParts} parts\n`);
  return asArtifact("parts", outDir, draft);
}

function asGraphArtifact({ numNodes, numEdges, parts }: CscGraph, split: Int8Array): GraphArtifact {
  const { indptr, indices } = parts[0] as CscGraph["parts"][number];
  return {
    facts: {
      numNodes,
      numEdges,
      idType: "int64",
      directed: true,
      features: { kind: "dense", dim: 1 },
      classes: ["any"],
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
    features: new DenseFeatureStore(1, [new Float32Array(numNodes)]),
    labels: new Int32Array(numNodes),
    labelSets: null,
    targets: null,
    split,
  };
}
