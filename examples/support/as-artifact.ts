import { DenseFeatureStore, type ShapedGraph } from "@hopwise/gnn-core";

/** The graph in memory in the form of one that was read from files. */
export function asArtifact({ graph, features, featureDim, labels, split, numClasses }: ShapedGraph) {
  const [whole] = graph.parts;
  if (!whole) throw new Error("The generator made no graph.");
  return {
    facts: {
      numNodes: graph.numNodes,
      numEdges: graph.numEdges,
      idType: "int64" as const,
      directed: false,
      features: { kind: "dense" as const, dim: featureDim },
      classes: Array.from({ length: numClasses }, (_, label) => String(label)),
      multiLabel: false,
      targets: [],
      edgeTypes: [],
      nodeTypes: [],
    },
    indptr: whole.indptr,
    indices: whole.indices,
    weights: null,
    edgeTypes: null,
    edgeFeatures: null,
    nodeTypes: null,
    features: new DenseFeatureStore(featureDim, [features]),
    labels,
    labelSets: null,
    targets: null,
    split,
  };
}
