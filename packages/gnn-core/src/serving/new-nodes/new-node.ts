/** What a cell of a column holds: a number, one of the kinds of a column of kinds, a vector; null: it is missing. */
export type FeatureCell = number | string | readonly number[] | null;

/** An edge between a new node and a known one, or another new one; one of both ends is named, the other is the node. */
export interface NewEdge {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Where edges of the graph are of several types, the name of one that its files have */
  readonly relation?: string | undefined;
  /** Where edges of the graph have weights */
  readonly weight?: number | undefined;
}

/** A node that the stored graph does not have, as its row and its edges would stand in the files of the dataset. */
export interface NewNode {
  readonly id: string;
  /** Where nodes of the graph have types */
  readonly type?: string | undefined;
  /**
   * By column of the nodes file, or of that of its type. Where a matrix has the features: all its numbers, or those
   * that are not 0 by their columns, counted from 0.
   */
  readonly features?: readonly number[] | Readonly<Record<string, FeatureCell>> | undefined;
  readonly edges?: readonly NewEdge[] | undefined;
}

/** The place of something of a node in the list of new nodes */
export function placeOf(node: number, ...path: readonly (string | number)[]): { readonly pointer: string } {
  const parts = path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1"));
  return { pointer: ["/nodes", node, ...parts].join("/") };
}

/** How an id, a name or a type that somebody gave is shown in a message */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** The first of some names, and how many there are */
export function some(names: readonly string[]): string {
  return `${names.slice(0, 20).join(", ")}${names.length > 20 ? `, … (${names.length} in all)` : ""}`;
}
