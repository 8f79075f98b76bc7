import { labelsIn, type NodeTypeRule } from "../node-type-rule.ts";
import { columnNamed, columnNames } from "./column-names.ts";
import { areNearlyDistinct, valuesOf } from "./column-values.ts";
import type { SampledFile } from "./sampled-file.ts";

/** A column of types where nodes have several labels, and which of them is proposed as the type. */
export interface SeveralTypes {
  readonly column: number;
  readonly rule: NodeTypeRule;
  /** What was found and is proposed, in a sentence that begins with the file */
  readonly note: string;
}

/** Combinations that the note counts */
const mostCounted = 6;
const neo4jLabel = /:LABEL$/;

/**
 * Neo4j's `:LABEL`, or a column called like one of types, where cells of the sample hold several labels. Proposed is
 * the rarest label of each node: it says most, and one that all nodes have would tell none apart.
 */
export function severalTypes(file: SampledFile, id: number): SeveralTypes | null {
  const { name, columns, rows } = file;
  const ofNeo4j = columns.findIndex((column) => neo4jLabel.test(column.name.trim()));
  const column = ofNeo4j >= 0 ? ofNeo4j : columnNamed(columns, columnNames.nodeType);
  if (column < 0 || column === id) return null;
  const cells = valuesOf(rows, column);
  const separators = ofNeo4j >= 0 ? [";"] : [";", "|"];
  const separator = separators.find((one) => cells.some((cell) => labelsIn(cell, one).length > 1));
  if (separator === undefined) return null;
  const ofRows = cells.map((cell) => labelsIn(cell, separator));
  // Texts of many words are no labels.
  if (areNearlyDistinct(ofRows.flat())) return null;
  const prefer = counted(ofRows.flat())
    .toReversed()
    .map(([label]) => label);
  const combinations = counted(ofRows.map((labels) => labels.toSorted().join(" and ")));
  const shown = combinations.slice(0, mostCounted).map(([labels, count]) => `${labels}: ${count}`);
  const more = combinations.length > mostCounted ? `, and ${combinations.length - mostCounted} more` : "";
  const note = `${name}: nodes have several labels in "${columns[column]!.name}" (of the ${cells.length} rows looked at, ${shown.join(", ")}${more}). Proposed is the rarest of each node as its type; say in typeRule which it is.`;
  return { column, rule: { separator, map: {}, prefer }, note };
}

/** How often each text is there, the most frequent first; those as frequent from Z to A, turned round from A to Z */
function counted(texts: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? 1 : -1));
}
