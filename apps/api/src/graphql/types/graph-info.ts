import type { ArtifactInfo } from "@hopwise/contracts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost } from "../base/costs.ts";
import { IdTypeEnum } from "./enums.ts";

import { HistogramType } from "./histogram.ts";
import { HomophilyType } from "./homophily.ts";

type GraphInfo = ArtifactInfo<"graph">;
type IngestReport = GraphInfo["report"];
type BadRow = IngestReport["badRows"][number];
type TargetInfo = GraphInfo["targets"][number];

interface NodeType {
  readonly name: string;
  readonly count: number | null;
  readonly numFeatures: number;
}

const NodeTypeInfo = builder.objectRef<NodeType>("NodeTypeInfo").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    count: t.expose("count", {
      type: "SafeInt",
      nullable: true,
      description: "Nodes of this type; null: ingested by an earlier version",
    }),
    numFeatures: t.exposeInt("numFeatures", { description: "Columns of features that nodes of this type have" }),
  }),
});
const EdgeTypeInfo = builder.objectRef<string>("EdgeTypeInfo").implement({
  fields: (t) => ({ name: t.string({ resolve: (name) => name }) }),
});

type Relation = NonNullable<GraphInfo["schema"]>["relations"][number];

const RelationInfo = builder.objectRef<Relation>("RelationInfo").implement({
  description: "Edges of one type from nodes of one type to nodes of one type",
  fields: (t) => ({
    source: t.exposeString("source"),
    name: t.exposeString("name"),
    target: t.exposeString("target"),
    count: t.expose("count", { type: "SafeInt", description: "Stored edges" }),
  }),
});

function nodeTypesOf({ nodeTypes, numNodes, features, schema }: GraphInfo): NodeType[] {
  const names = schema?.nodeTypes.map(({ name }) => name) ?? nodeTypes;
  return names.map((name) => ({
    name,
    count: schema?.nodeTypes.find((type) => type.name === name)?.count ?? (names.length === 1 ? numNodes : null),
    numFeatures: features.types?.find((type) => type.name === name)?.dim ?? features.dim,
  }));
}
const SplitCount = builder.objectRef<{ split: string; count: number }>("SplitCount").implement({
  fields: (t) => ({ split: t.exposeString("split"), count: t.expose("count", { type: "SafeInt" }) }),
});
const LabelCount = builder.objectRef<GraphInfo["labelCounts"][number]>("LabelCount").implement({
  fields: (t) => ({ label: t.exposeString("label"), count: t.expose("count", { type: "SafeInt" }) }),
});
const TargetInfoType = builder.objectRef<TargetInfo>("TargetInfo").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    count: t.expose("count", {
      type: "SafeInt",
      description: "Nodes or edges where it is known; the rest is over these",
    }),
    mean: t.exposeFloat("mean", { nullable: true }),
    deviation: t.exposeFloat("deviation", { nullable: true }),
    min: t.exposeFloat("min", { nullable: true }),
    max: t.exposeFloat("max", { nullable: true }),
  }),
});
type GraphSet = NonNullable<GraphInfo["graphs"]>;

const GraphSetInfo = builder.objectRef<GraphSet>("GraphSetInfo").implement({
  description: "The graphs of a set",
  fields: (t) => ({
    numGraphs: t.expose("numGraphs", { type: "SafeInt" }),
    numClasses: t.int({ resolve: ({ classes }) => classes.length }),
    minNodes: t.int({ description: "Nodes of the smallest graph", resolve: ({ nodes }) => nodes.min }),
    meanNodes: t.float({ resolve: ({ nodes }) => nodes.mean }),
    maxNodes: t.int({ resolve: ({ nodes }) => nodes.max }),
    meanEdges: t.float({ description: "Stored edges of a graph", resolve: ({ edges }) => edges.mean }),
    sizeHistogram: t.field({ type: HistogramType, resolve: (graphs) => graphs.sizeHistogram }),
    labelCounts: t.field({
      type: [LabelCount],
      complexity: nestedListCost(200),
      resolve: (graphs) => [...graphs.labelCounts],
    }),
    splits: t.field({
      type: [SplitCount],
      resolve: (graphs) => Object.entries(graphs.splits).map(([split, count]) => ({ split, count })),
    }),
    folds: t.field({
      type: [SplitCount],
      complexity: nestedListCost(20),
      description: "Graphs of each fold; none: there are no folds",
      resolve: (graphs) => graphs.folds.map(({ name, count }) => ({ split: name, count })),
    }),
  }),
});

type EdgeRows = NonNullable<GraphInfo["edgeRows"]>;

const EdgeRowsInfo = builder.objectRef<EdgeRows>("EdgeRowsInfo").implement({
  description: "The rows of edges that have a class or numbers to be predicted",
  fields: (t) => ({
    numRows: t.expose("numRows", { type: "SafeInt" }),
    labelCounts: t.field({
      type: [LabelCount],
      complexity: nestedListCost(200),
      resolve: (edges) => [...edges.labelCounts],
    }),
    targets: t.field({ type: [TargetInfoType], resolve: (edges) => [...edges.targets] }),
  }),
});

export const GraphInfoType = builder.objectRef<GraphInfo>("GraphInfo").implement({
  fields: (t) => ({
    numNodes: t.expose("numNodes", { type: "SafeInt" }),
    numEdges: t.expose("numEdges", { type: "SafeInt", description: "Stored (directed) edges" }),
    idType: t.expose("idType", { type: IdTypeEnum }),
    directed: t.exposeBoolean("directed"),
    nodeTypes: t.field({ type: [NodeTypeInfo], resolve: nodeTypesOf }),
    edgeTypes: t.field({ type: [EdgeTypeInfo], resolve: (graph) => [...graph.edgeTypes] }),
    relations: t.field({
      type: [RelationInfo],
      nullable: true,
      description: "null: nodes and edges are all alike, or ingested by an earlier version",
      resolve: ({ schema }) => (schema ? [...schema.relations] : null),
    }),
    numFeatures: t.int({ resolve: (graph) => graph.features.dim }),
    numClasses: t.int({ nullable: true, resolve: (graph) => graph.classes.length || null }),
    classes: t.stringList({ complexity: 200, resolve: (graph) => [...graph.classes] }),
    multiLabel: t.boolean({
      resolve: (graph) => graph.multiLabel,
      description: "Nodes have several labels each; labelCounts then counts the nodes of each",
    }),
    targets: t.field({
      type: [TargetInfoType],
      resolve: (graph) => [...graph.targets],
      description: "Numeric columns to predict",
    }),
    splits: t.field({
      type: [SplitCount],
      resolve: (graph) => Object.entries(graph.splits).map(([split, count]) => ({ split, count })),
    }),
    labelCounts: t.field({
      type: [LabelCount],
      complexity: nestedListCost(200),
      resolve: (graph) => [...graph.labelCounts],
    }),
    degreeHistogram: t.field({ type: HistogramType, resolve: (graph) => graph.degreeHistogram }),
    homophily: t.field({
      type: HomophilyType,
      nullable: true,
      description:
        "null: no edge joins two labelled nodes, nodes have several labels, or ingested by an earlier version",
      resolve: (graph) => graph.homophily ?? null,
    }),
    graphs: t.field({
      type: GraphSetInfo,
      nullable: true,
      description: "null: the dataset is one graph, and no set of them",
      resolve: ({ graphs }) => graphs ?? null,
    }),
    profile: t.field({
      type: "JSON",
      nullable: true,
      complexity: costs.json,
      description: "Columns, components, first rows: `profile` of REST's graph; null: ingested by an earlier version",
      resolve: (graph) => graph.profile ?? null,
    }),
  }),
});

builder.objectField(GraphInfoType, "edgeRows", (t) =>
  t.field({
    type: EdgeRowsInfo,
    nullable: true,
    description: "null: nothing of the edges is to be predicted",
    resolve: ({ edgeRows }) => edgeRows ?? null,
  }),
);

const BadRowType = builder.objectRef<BadRow>("BadRow").implement({
  fields: (t) => ({
    file: t.exposeString("file"),
    line: t.expose("line", { type: "SafeInt" }),
    column: t.exposeString("column"),
    found: t.exposeString("found"),
  }),
});

export const IngestReportType = builder.objectRef<IngestReport>("IngestReport").implement({
  fields: (t) => ({
    rowsRead: t.expose("rowsRead", { type: "SafeInt" }),
    duplicateEdges: t.expose("duplicateEdges", { type: "SafeInt" }),
    selfLoops: t.expose("selfLoops", { type: "SafeInt" }),
    danglingIds: t.expose("danglingIds", { type: "SafeInt" }),
    isolatedNodes: t.expose("isolatedNodes", { type: "SafeInt" }),
    warnings: t.stringList({
      resolve: (report) => [...report.warnings],
      description: "What was changed or is unusual, as sentences",
    }),
    badRows: t.field({
      type: [BadRowType],
      args: { first: t.arg.int({ defaultValue: 100 }) },
      complexity: ({ first }) => nestedListCost(Math.max(0, Math.min(first ?? 100, 1000))),
      resolve: (report, { first }) => report.badRows.slice(0, Math.max(0, first ?? 100)),
    }),
  }),
});
