import type { DatasetSpec } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import type { CountedGraph } from "./graph-objection.ts";

/** What a graph is like, as far as a model that was trained on one depends on it. */
export const graphForm = z
  .object({
    features: z.object({
      kind: z.enum(["none", "dense", "csr"]),
      dim: z.number().int().nonnegative(),
      columns: z.array(z.string()).nullable().describe("null: they come from a matrix, whose columns have no names"),
    }),
    classes: z.array(z.string()).describe("In the order in which the model counts them"),
    targets: z.array(z.string()),
    directed: z.boolean(),
    hasWeights: z.boolean().describe("Whether its edges carry weights"),
    nodeTypes: z.array(z.string()),
    edgeTypes: z.array(z.string()),
    numNodes: z.number().int().nonnegative(),
    numEdges: z.number().int().nonnegative(),
  })
  .meta({ id: "GraphForm" });
export type GraphForm = z.infer<typeof graphForm>;

/** What is counted of a graph, as far as its form says it. */
export interface FormedGraph extends CountedGraph {
  readonly features: { readonly kind: "none" | "dense" | "csr"; readonly dim: number };
  readonly targets: readonly { readonly name: string }[];
  readonly directed: boolean;
  readonly nodeTypes: readonly string[];
  readonly edgeTypes: readonly string[];
  readonly numNodes: number;
  readonly numEdges: number;
}

/** @param mapping how the files became the graph; null: of a form that this release does not read */
export function graphFormOf(graph: FormedGraph, mapping: DatasetSpec | null): GraphForm {
  const { features, classes, targets, directed, nodeTypes, edgeTypes, numNodes, numEdges } = graph;
  const columns =
    mapping?.nodes?.features && "columns" in mapping.nodes.features ? mapping.nodes.features.columns : null;
  return {
    features: { kind: features.kind, dim: features.dim, columns },
    classes: [...classes],
    targets: targets.map(({ name }) => name),
    directed,
    hasWeights: graph.weights ? true : (mapping?.edges.weight ?? null) !== null,
    nodeTypes: [...nodeTypes],
    edgeTypes: [...edgeTypes],
    numNodes,
    numEdges,
  };
}
