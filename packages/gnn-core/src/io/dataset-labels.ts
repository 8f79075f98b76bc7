import { isLearned } from "./check-types.ts";
import type { DatasetSpec, EdgesSection, NodesSection } from "./dataset-spec.ts";

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
  readonly directed: boolean;
}

export function learnableColumns(spec: DatasetSpec): LearnableColumns {
  return { nodes: learnedNodes(spec), edges: spec.edges, directed: isDirected(spec) };
}

/** Whether messages go along edges as the rows say alone, and never back. */
export function isDirected({ directed, relations }: Pick<DatasetSpec, "directed" | "relations">): boolean {
  return relations ? relations.every(({ reverse }) => reverse === false) : directed;
}

/** Names of the types of nodes in the order of the graph: a database may not keep that of a spec's. */
export function typeNamesOf(nodeTypes: NonNullable<DatasetSpec["nodeTypes"]>): string[] {
  return Object.keys(nodeTypes).toSorted((a, b) => (a < b ? -1 : 1));
}
