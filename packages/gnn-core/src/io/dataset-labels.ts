import { isLearned } from "./check-types.ts";
import type { DatasetSpec, EdgesSection, NodesSection } from "./dataset-spec.ts";
import type { GraphsSection } from "./graphs-section.ts";
import { isLabelled, type RelationSection } from "./relation-section.ts";

/** Whether the columns give each node a set of labels instead of one class. */
export function hasSeveralLabels(nodes: NodesSection | null): boolean {
  return !!nodes && (nodes.labelSeparator !== null || nodes.labelColumns.length > 0 || nodes.labelFile !== null);
}

/** The columns of the nodes that can be learned: those of the one table, or of the type that has labels or targets. */
export function learnedNodes({ nodes, nodeTypes }: Pick<DatasetSpec, "nodes" | "nodeTypes">): NodesSection | null {
  return nodes ?? Object.values(nodeTypes ?? {}).find(isLearned) ?? null;
}

/** What tasks read of a dataset spec, whether its nodes and edges are of one table or of one for each type. */
export interface LearnableColumns {
  /** Those of the type of node that can be learned; null: no columns of nodes are mapped */
  readonly nodes: NodesSection | null;
  /** null: a table for each relation */
  readonly edges: EdgesSection | null;
  /** Those of the one table of edges, or of the relation that has labels or targets; null: no relation has */
  readonly labelledEdges: LabelledEdgeColumns | null;
  /** What tells the sides and times of links, in the one table of edges or in that of any relation */
  readonly links: LinkSideColumns;
  /** What is known of whole graphs; null: the dataset is one graph */
  readonly graphs: LearnableGraphs | null;
  readonly directed: boolean;
}

export function learnableColumns(spec: DatasetSpec): LearnableColumns {
  return {
    nodes: learnedNodes(spec),
    edges: spec.edges,
    labelledEdges: spec.edges ?? labelledRelation(spec),
    links: linkSideColumns(spec),
    graphs: learnableGraphs(spec),
    directed: isDirected(spec),
  };
}

/** Facts as knowledge graphs publish them: a table of triples, and nothing of the nodes */
export function areFacts({ nodes, edges }: Pick<LearnableColumns, "nodes" | "edges">): boolean {
  return nodes === null && edges !== null && edges.type !== null;
}

/** What tasks on labels of edges read of their columns */
export type LabelledEdgeColumns = Pick<EdgesSection, "label" | "targets" | "split" | "splitFiles" | "time">;

/** Columns, or files, that tell on which side edges are, and columns that tell their time */
export type LinkSideColumns = Pick<EdgesSection, "split" | "splitFiles" | "time">;

function linkSideColumns({ edges, relations }: Pick<DatasetSpec, "edges" | "relations">): LinkSideColumns {
  const tables = edges ? [edges] : (relations ?? []).map(edgesOfRelation);
  const first = <K extends keyof LinkSideColumns>(column: K): LinkSideColumns[K] | null =>
    tables.find((table) => table[column] !== null)?.[column] ?? null;
  return { split: first("split"), splitFiles: first("splitFiles"), time: first("time") };
}

/** The columns of the relation whose edges have something to be predicted; null: there is none */
export function labelledRelation({ relations }: Pick<DatasetSpec, "relations">): EdgesSection | null {
  const section = relations?.find(isLabelled);
  return section ? edgesOfRelation(section) : null;
}

/** A relation as a table of edges: its name is their type. */
export function edgesOfRelation(section: RelationSection): EdgesSection {
  const { files, reader, src, dst, weight, label, targets, features = [], split, splitFiles, time } = section;
  const labels = { ...(label !== undefined && { label }), ...(targets && { targets }) };
  const sides = { split: split ?? null, splitFiles: splitFiles ?? null, time: time ?? null };
  return { files, reader, src, dst, weight, type: null, reverseTypes: false, features, ...sides, ...labels };
}

/** Columns that say something of whole graphs */
export interface LearnableGraphs extends Pick<GraphsSection, "label" | "targets"> {
  readonly hasSplit: boolean;
  readonly hasFolds: boolean;
}

/** What the table of graphs, or the files of a TU data set, let one learn of graphs; null: the dataset is one graph. */
export function learnableGraphs({ graphs, tu }: Pick<DatasetSpec, "graphs" | "tu">): LearnableGraphs | null {
  if (tu) {
    const { graphLabels, targets, foldFile } = tu;
    return { label: graphLabels === null ? null : tuLabel, targets, hasSplit: false, hasFolds: foldFile !== null };
  }
  if (!graphs) return null;
  const { label, targets, split, fold, foldFile } = graphs;
  return { label, targets, hasSplit: split !== null, hasFolds: fold !== null || foldFile !== null };
}

/** How the class of a graph is called that DS_graph_labels.txt gives. */
export const tuLabel = "label";

/** Whether messages go along edges as the rows say alone, and never back. */
export function isDirected({ directed, relations }: Pick<DatasetSpec, "directed" | "relations">): boolean {
  return relations ? relations.every(({ reverse }) => reverse === false) : directed;
}

/** Names of the types of nodes in the order of the graph: a database may not keep that of a spec's. */
export function typeNamesOf(nodeTypes: NonNullable<DatasetSpec["nodeTypes"]>): string[] {
  return Object.keys(nodeTypes).toSorted((a, b) => (a < b ? -1 : 1));
}
