import { type DatasetSpec, isLabelled, typeNamesOf } from "@hopwise/gnn-core/spec";
import { z } from "zod";
import type { CountedGraph } from "./graph-objection.ts";

/** What a graph is like, as far as a model that was trained on one depends on it. */
export const graphForm = z
  .object({
    features: z.object({
      kind: z.enum(["none", "dense", "csr"]),
      dim: z.number().int().nonnegative(),
      columns: z.array(z.string()).nullable().describe("null: they come from a matrix, whose columns have no names"),
      types: z
        .array(z.object({ name: z.string(), dim: z.number().int().nonnegative() }))
        .nullable()
        .default(null)
        .describe("Columns of each type of node, where types have columns of their own; null: all have the same"),
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
  readonly features: {
    readonly kind: "none" | "dense" | "csr";
    readonly dim: number;
    readonly types?: readonly { readonly name: string; readonly dim: number }[] | undefined;
    readonly oneHot?: readonly { readonly name: string; readonly values: readonly string[] }[] | undefined;
  };
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
  return {
    features: {
      kind: features.kind,
      dim: features.dim,
      columns: featureColumns(mapping, features),
      types: columnsOfTypes(graph),
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

/** Names of the columns in their order, where all have one: `paper.year` of a type's own, `vec[128]` of lists. */
function featureColumns(
  mapping: DatasetSpec | null,
  { dim, types: dims = [], oneHot = [] }: FormedGraph["features"],
): string[] | null {
  const kindsOf = (column: string) =>
    (oneHot.find(({ name }) => name === column)?.values ?? []).map((value) => `${column}=${value}`);
  if (mapping?.tu) {
    const kinds = oneHot.flatMap(({ name }) => kindsOf(name));
    return [...kinds, ...Array.from({ length: dim - kinds.length }, (_, i) => `attribute${i + 1}`)];
  }
  const types = mapping?.nodeTypes;
  const columns = (types ? typeNamesOf(types) : [""]).map((type) => {
    const nodes = types ? types[type] : mapping?.nodes;
    if (!nodes?.features) return [];
    if (!("columns" in nodes.features)) return null;
    const { columns: names, widths, missing, oneHot: kinds = [], multiHot } = nodes.features;
    const prefix = type ? `${type}.` : "";
    const indicators = names.filter((name) => Object.hasOwn(missing, name) && missing[name]?.indicator).length;
    const numbers = names.flatMap((name) => {
      const column = prefix + (Object.hasOwn(widths, name) ? `${name}[${widths[name]}]` : name);
      return Object.hasOwn(missing, name) && missing[name]?.indicator ? [column, `${column} is missing`] : [column];
    });
    const ones = kinds.flatMap((name) => kindsOf(prefix + name));
    if (multiHot === undefined) return [...ones, ...numbers];
    const numNumbers = names.reduce((sum, name) => sum + (Object.hasOwn(widths, name) ? widths[name]! : 1), 0);
    const all = type ? (dims.find(({ name }) => name === type)?.dim ?? 0) : dim;
    const listed = all - ones.length - numNumbers - indicators;
    return [...ones, ...numbers, `${prefix}${multiHot}[${listed}]`];
  });
  return columns.includes(null) || columns.flat().length === 0 ? null : (columns.flat() as string[]);
}
