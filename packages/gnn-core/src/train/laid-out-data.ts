import { laidOutFeatures } from "../features/laid-out-features.ts";
import type { NodeTypes } from "../graph/csc-graph.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { FeatureLayoutOfModel } from "../spec/feature-layout-of-model.ts";

/** The data with its features, and the columns of each type of node, as the model reads them. */
export function laidOutData(data: TrainingData, layout: FeatureLayoutOfModel): TrainingData {
  const { graph, features } = data;
  const { nodeTypes } = graph;
  return {
    ...data,
    graph: nodeTypes?.columns ? { ...graph, nodeTypes: withColumns(nodeTypes, layout) } : graph,
    features: laidOutFeatures(features, layout),
  };
}

function withColumns(nodeTypes: NodeTypes, { types }: FeatureLayoutOfModel): NodeTypes {
  const columns = nodeTypes.names.map((name) => types?.find((type) => type.name === name) ?? { first: 0, dim: 0 });
  return { ...nodeTypes, columns };
}
