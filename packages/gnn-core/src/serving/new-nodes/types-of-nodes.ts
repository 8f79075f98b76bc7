import { GnnError } from "../../errors/gnn-error.ts";
import type { NodeTypes } from "../../graph/csc-graph.ts";
import type { DatasetSpec } from "../../io/dataset-spec.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { type NewNode, placeOf, shown, some } from "./new-node.ts";

/** The types of a stored graph's nodes, as its dataset calls them. */
export interface TypesOfNodes {
  /** Empty: nodes have no types */
  readonly names: readonly string[];
  /** Each type has a table, and an id has to be unique in its type alone */
  readonly haveTables: boolean;
  /** Ids of the stored graph are `type/id` */
  readonly areInIds: boolean;
  /** Nodes may be of no type that is known: some of the graph are */
  readonly mayBeUnknown: boolean;
}

/** @param types of the graph as models see it; left out: they see none */
export function typesOfNodes(
  { nodeTypes, hasTypeInIds = false }: Pick<GraphInfo, "nodeTypes" | "hasTypeInIds">,
  spec: Pick<DatasetSpec, "nodes" | "nodeTypes">,
  types: Pick<NodeTypes, "names"> | undefined,
): TypesOfNodes {
  const haveTables = spec.nodeTypes !== null;
  const names = haveTables || spec.nodes?.type ? nodeTypes : [];
  const mayBeUnknown = !haveTables && (types === undefined || types.names.length > names.length);
  return { names, haveTables, areInIds: hasTypeInIds, mayBeUnknown };
}

/**
 * The type of a new node, an index into `names`; `names.length`: it is not known. 0 where nodes have no types.
 *
 * @throws GnnError SPEC_INVALID of a type that the graph lacks, and of none where nodes have one
 */
export function typeOfNode({ type }: NewNode, at: number, { names, haveTables, mayBeUnknown }: TypesOfNodes): number {
  const place = placeOf(at, "type");
  if (names.length === 0) {
    if (type === undefined) return 0;
    throw new GnnError("SPEC_INVALID", "Nodes of this graph have no types; leave the type out.", { place });
  }
  if (type === undefined) {
    if (mayBeUnknown) return names.length;
    if (haveTables && names.length === 1) return 0;
    const message = `New node ${at} has no type; expected one of ${some(names)}.`;
    throw new GnnError("SPEC_INVALID", message, { place });
  }
  const code = names.indexOf(type);
  if (code >= 0) return code;
  const message = `There is no type of node ${shown(type)}; expected one of ${some(names)}.`;
  throw new GnnError("SPEC_INVALID", message, { place });
}
