import { type DatasetSpec, isLabelled } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import { areBlocksOf, type CountedFeatures, featureBlock, featureBlocks, featureColumns } from "./feature-blocks.ts";
import type { CountedGraph } from "./graph-objection.ts";

/** A table of each type of node has a few, and a column of kinds one. */
const mostBlocks = 2_000;

/** What a graph is like, as far as a model that was trained on one depends on it. */
export const graphForm = z
  .object({
    features: z
      .object({
        kind: z.enum(["none", "dense", "csr"]),
        dim: z.number().int().nonnegative(),
        columns: z.array(z.string()).nullable().describe("null: they come from a matrix, whose columns have no names"),
        types: z
          .array(z.object({ name: z.string(), dim: z.number().int().nonnegative() }))
          .nullable()
          .default(null)
          .describe("Columns of each type of node, where types have columns of their own; null: all have the same"),
        blocks: z
          .array(featureBlock)
          .max(mostBlocks)
          .nullable()
          .default(null)
          .describe("What the columns were made of, in their order; null: an earlier release has not kept it"),
      })
      .refine(({ blocks, dim }) => blocks === null || areBlocksOf(blocks, dim), {
        path: ["blocks"],
        message: "expected blocks of as many columns as the features have, each of another column of the files",
      }),
    classes: z.array(z.string()).describe("In the order in which the model counts them"),
    targets: z.array(z.string()),
    directed: z.boolean(),
    hasWeights: z.boolean().describe("Whether its edges carry weights"),
    nodeTypes: z.array(z.string()),
    edgeTypes: z.array(z.string()),
    numNodes: z.number().int().nonnegative(),
    numEdges: z.number().int().nonnegative(),
    setOfGraphs: z
      .object({
        numGraphs: z.number().int().nonnegative(),
        classes: z.array(z.string()).describe("In the order in which the model counts them"),
        targets: z.array(z.string()),
      })
      .nullable()
      .default(null)
      .describe("What is known of whole graphs; null: the dataset is one graph"),
    labelledEdges: z
      .object({
        relation: z.string().nullable().describe("The relation that they are of, as source name target; null: of any"),
        classes: z.array(z.string()).describe("In the order in which the model counts them"),
        targets: z.array(z.string()),
        featureDim: z.number().int().nonnegative(),
        features: z.array(z.string()).nullable().describe("Columns of their features; null: they have no names"),
        directed: z.boolean().describe("Whether it makes a difference which end is named first"),
      })
      .nullable()
      .default(null)
      .describe("What is known of single edges; null: nothing of them is to be predicted"),
  })
  .meta({ id: "GraphForm" });
export type GraphForm = z.infer<typeof graphForm>;

/** What is counted of a graph, as far as its form says it. */
export interface FormedGraph extends CountedGraph {
  readonly features: CountedFeatures;
  readonly targets: readonly { readonly name: string }[];
  readonly directed: boolean;
  readonly nodeTypes: readonly string[];
  readonly edgeTypes: readonly string[];
  readonly numNodes: number;
  readonly numEdges: number;
  readonly edgeRows?: (NonNullable<CountedGraph["edgeRows"]> & { readonly directed?: boolean | undefined }) | undefined;
  readonly graphs?:
    | (NonNullable<CountedGraph["graphs"]> & { readonly targets: readonly { readonly name: string }[] })
    | undefined;
}

/** @param mapping how the files became the graph; null: of a form that this release does not read */
export function graphFormOf(graph: FormedGraph, mapping: DatasetSpec | null): GraphForm {
  const { features, classes, targets, directed, nodeTypes, edgeTypes, numNodes, numEdges } = graph;
  const blocks = featureBlocks(mapping, features);
  return {
    features: {
      kind: features.kind,
      dim: features.dim,
      columns: featureColumns(blocks),
      types: columnsOfTypes(graph),
      blocks,
    },
    classes: [...classes],
    targets: targets.map(({ name }) => name),
    directed,
    hasWeights: graph.weights ? true : (mapping?.edges?.weight ?? null) !== null,
    nodeTypes: [...nodeTypes],
    edgeTypes: [...edgeTypes],
    numNodes,
    numEdges,
    setOfGraphs: formOfSet(graph),
    labelledEdges: formOfEdges(graph, mapping),
  };
}

function formOfSet({ graphs }: FormedGraph): GraphForm["setOfGraphs"] {
  if (!graphs) return null;
  const { numGraphs, classes, targets } = graphs;
  return { numGraphs, classes: [...classes], targets: targets.map(({ name }) => name) };
}

function formOfEdges({ edgeRows, directed }: FormedGraph, mapping: DatasetSpec | null): GraphForm["labelledEdges"] {
  if (!edgeRows) return null;
  const { classes, targets, featureDim } = edgeRows;
  const relation = mapping?.relations?.find(isLabelled);
  const columns = relation ? (relation.features ?? []) : (mapping?.edges?.features ?? null);
  return {
    relation: relation ? `${relation.source} ${relation.name} ${relation.target}` : null,
    classes: [...classes],
    targets: targets.map(({ name }) => name),
    featureDim,
    features: columns?.length === featureDim ? [...columns] : null,
    directed: edgeRows.directed ?? directed,
  };
}

function columnsOfTypes({ features: { types } }: FormedGraph): GraphForm["features"]["types"] {
  return types?.map(({ name, dim }) => ({ name, dim })) ?? null;
}
