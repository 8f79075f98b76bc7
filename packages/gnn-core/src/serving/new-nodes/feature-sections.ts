import type { DatasetSpec, NodesSection } from "../../io/dataset-spec.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { type OneHotColumn, oneHotNames } from "../../io/ingest/one-hot.ts";

/** Columns [first, first + dim) of the features, which one table of nodes has. */
export interface FeatureSection {
  /** null: nodes of all types have them */
  readonly type: string | null;
  readonly first: number;
  readonly dim: number;
  /** null: no table, the nodes are the ids of the edges */
  readonly section: NodesSection | null;
  readonly kinds: readonly OneHotColumn[];
}

/** The tables of nodes in the order of their columns: one, or one of each type. */
export function featureSections(
  { features }: Pick<GraphInfo, "features">,
  { nodes, nodeTypes }: Pick<DatasetSpec, "nodes" | "nodeTypes">,
): readonly FeatureSection[] {
  const { dim, types, oneHot = [] } = features;
  if (!types) return [{ type: null, first: 0, dim, section: nodes, kinds: oneHot }];
  // Kinds of all types stand in one list, type after type; there `kind` of atoms is called `atom.kind`.
  let next = 0;
  return types.map(({ name, first, dim: own }) => {
    const section = nodeTypes?.[name] ?? null;
    const names = section ? oneHotNames(section) : [];
    const kinds = names.map((column, i) => ({ name: column, values: oneHot[next + i]?.values ?? [] }));
    next += names.length;
    return { type: name, first, dim: own, section, kinds };
  });
}
