import { laidOutFeatures } from "../features/laid-out-features.ts";
import type { CscGraph, NodeTypes } from "../graph/csc-graph.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { FeatureLayoutOfModel } from "../spec/feature-layout-of-model.ts";

/** The data with its features, and the columns of each type of node, as the model reads them. */
export function laidOutData(data: TrainingData, layout: FeatureLayoutOfModel): TrainingData {
  const { graph, features } = data;
  return { ...data, graph: withColumnsOfModel(graph, layout), features: laidOutFeatures(features, layout) };
}

/**
 * The graph with the columns of each type of node where the model reads them.
 *
 * @param layout null: they are its own
 */
export function withColumnsOfModel(graph: CscGraph, layout: FeatureLayoutOfModel | null): CscGraph {
  const { nodeTypes } = graph;
  return layout && nodeTypes?.columns ? { ...graph, nodeTypes: withColumns(nodeTypes, layout) } : graph;
}

function withColumns(nodeTypes: NodeTypes, { types }: FeatureLayoutOfModel): NodeTypes {
  const columns = nodeTypes.names.map((name) => types?.find((type) => type.name === name) ?? { first: 0, dim: 0 });
  return { ...nodeTypes, columns };
}
