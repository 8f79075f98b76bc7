import type { DatasetSpec } from "../dataset-spec.ts";
import type { IdIndex } from "./id-index.ts";

/** The nodes that one end of edges is looked up among. */
export interface EndNodes {
  readonly ids: IdIndex;
  /** NodeIndex of the first of them */
  readonly first: number;
  /** Their type, where it has a table of its own, and which other type an id is of; null: all nodes share a table */
  readonly type: { readonly name: string; readonly otherWith: (id: string) => string | null } | null;
}

/** Which nodes the ends of edges are looked up among. */
export interface EdgeEnds {
  readonly src: EndNodes;
  readonly dst: EndNodes;
  /** Name of the relation, where it has a table of its own; null: a table of all edges */
  readonly relation: string | null;
}

/** What becomes of an id that is not among the nodes, and of edges from a node to itself. */
export interface EdgeRules extends Pick<DatasetSpec, "missingNodes" | "selfLoops"> {
  /** Without a file of nodes, every id is one. */
  readonly hasNodes: boolean;
  /** Graph of every node, whose edges stay inside it; left out: the dataset is one graph */
  readonly graphOf?: Int32Array;
}

/** Both ends among the nodes of one table. */
export function sameTable(ids: IdIndex): EdgeEnds {
  const nodes: EndNodes = { ids, first: 0, type: null };
  return { src: nodes, dst: nodes, relation: null };
}

/** What to do about an id that is not among the nodes of an end. */
export function unknownNode(id: string, { ids, type }: EndNodes): string {
  const alike = otherSpellings(id).find((other) => ids.indexOf(other) >= 0);
  const hint = alike === undefined ? "" : ` ${JSON.stringify(alike)} is: write ids alike in both files.`;
  if (type === null) {
    return `${JSON.stringify(id)} is not among the nodes.${hint} Add it to the nodes file, or set missingNodes to add or drop.`;
  }
  const other = type.otherWith(id);
  const instead =
    other === null
      ? `Add it to the file of that type, or set missingNodes to drop.`
      : `It is one of "${other}": check the columns of this relation, and which types it joins.`;
  return `${JSON.stringify(id)} is not among the nodes of the type "${type.name}".${hint} ${instead}`;
}

/** How else the other file may write an id: pandas makes 1.0 of 1, spreadsheets make 1 of 001. */
function otherSpellings(id: string): string[] {
  return [id.replace(/\.0+$/, ""), `${id}.0`, id.replace(/^0+(?=\d)/, ""), id.toLowerCase(), id.toUpperCase()];
}
