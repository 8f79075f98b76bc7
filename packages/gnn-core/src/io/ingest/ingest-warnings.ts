import type { NodesSection } from "../dataset-spec.ts";
import type { GraphInfo } from "./ingest-report.ts";
import type { EdgeRows } from "./read-edges.ts";
import type { NodeRows } from "./read-nodes.ts";

/** What somebody should know about a graph that was built: nothing is dropped, or assumed, in silence. */
export function ingestWarnings(
  { learned, nodes, edges, rows, numNodes, selfLoops, ofIds }: WarnedTables,
  labelCounts: GraphInfo["labelCounts"],
  weights: GraphInfo["weights"],
): string[] {
  return [
    ...replacedWarnings(rows),
    ...(nodes ? typeWarnings(nodes.typeCombinations) : []),
    ...(nodes ? labelWarnings(learned, nodes, labelCounts) : []),
    ...edgeWarnings(selfLoops, numNodes, nodes, edges),
    ...ofIds,
    ...weightWarnings(weights, edges),
  ];
}

/** What warnings are about. */
export interface WarnedTables {
  /** The columns of the nodes that can be learned */
  readonly learned: NodesSection | null;
  readonly nodes: NodeRows | null;
  readonly edges: EdgeRows;
  readonly rows: Pick<GraphInfo["report"], "replacedRows" | "files">;
  readonly numNodes: number;
  readonly selfLoops: "keep" | "drop";
  /** What of the ids looks like anything but an id */
  readonly ofIds: readonly string[];
}

function replacedWarnings({ replacedRows = 0, files = [] }: WarnedTables["rows"]): string[] {
  if (replacedRows === 0) return [];
  const counts = files.flatMap((file) => (file.replacedRows ? [`${file.replacedRows} of ${file.name}`] : []));
  const byFile = counts.length > 0 ? ` (${counts.join(", ")})` : "";
  const rows = replacedRows === 1 ? "row of nodes was" : "rows of nodes were";
  return [`${replacedRows} ${rows} replaced by later rows of the same id${byFile}.`];
}

/** Combinations that are told in a sentence; the others are counted. */
const mostTold = 5;

function typeWarnings(combinations: NodeRows["typeCombinations"]): string[] {
  if (combinations.length === 0) return [];
  const numNodes = combinations.reduce((sum, { count }) => sum + count, 0);
  const told = combinations
    .slice(0, mostTold)
    .map(({ labels, type, count }) => `${labels.join(" and ")} as ${type}: ${count}`);
  const more = combinations.length > mostTold ? `, and ${combinations.length - mostTold} further combinations` : "";
  const nodes = numNodes === 1 ? "node has" : "nodes have";
  return [`${numNodes} ${nodes} several labels, of which one is the type (${told.join(", ")}${more}).`];
}

function labelWarnings(learned: NodesSection | null, nodes: NodeRows, labelCounts: GraphInfo["labelCounts"]): string[] {
  const warnings: string[] = [];
  const column = learned?.label ?? "";
  if (nodes.hasMultiLabels) {
    warnings.push(
      'Some labels contain |; each such text is one class of its own. Set "labelSeparator": "|" to read several labels per node.',
    );
  }
  for (const [word, count] of nodes.missingLabels) {
    const labels = count === 1 ? "label" : "labels";
    warnings.push(
      `${count} ${labels} ${JSON.stringify(word)} in "${column}" were read as not known. Take it out of missingLabels if it is a class.`,
    );
  }
  const classes = labelCounts.map(({ label }) => label);
  for (const alike of groupsOf(classes, (text) => (/^[+-]?\d+(\.\d*)?$/.test(text) ? String(Number(text)) : null)))
    warnings.push(
      `In "${column}", the classes ${alike.map((text) => JSON.stringify(text)).join(", ")} are one number; write them alike if they are one class.`,
    );
  for (const alike of groupsOf(classes, (text) => text.toLowerCase()))
    warnings.push(
      `In "${column}", the classes ${alike.map((text) => JSON.stringify(text)).join(", ")} differ only in capitals; write them alike if they are one.`,
    );
  const numLabelled = labelCounts.reduce((sum, { count }) => sum + count, 0);
  if (nodes.labelPairs === null && numLabelled >= 10 && classes.length > numLabelled / 2) {
    warnings.push(
      `"${column}" has ${classes.length} classes for ${numLabelled} labelled nodes: it looks like a name, not like a class that could be learned.`,
    );
  }
  return warnings;
}

/** Texts with the same key, where several have it; a text without one is in no group. */
function groupsOf(texts: readonly string[], keyOf: (text: string) => string | null): string[][] {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const key = keyOf(text);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), text]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function edgeWarnings(
  selfLoops: WarnedTables["selfLoops"],
  numNodes: number,
  nodes: NodeRows | null,
  edges: EdgeRows,
): string[] {
  const warnings: string[] = [];
  if (edges.danglingRows > 0) {
    warnings.push(`${edges.danglingRows} edge rows were dropped: they name ids that are not among the nodes.`);
  }
  const added = nodes ? numNodes - nodes.numRows : 0;
  if (added > 0) {
    const zeros = nodes?.hasFeatures ? " with features of zero" : "";
    warnings.push(`${added} nodes that only the edges name were added without label${zeros}.`);
  }
  if (selfLoops === "drop" && edges.selfLoops > 0) warnings.push(`${edges.selfLoops} self-loops were dropped.`);
  return warnings;
}

/** Counts what models that use weights cannot do with: they divide by sums of them. */
export function measureWeights(weight: string | null, { weights }: EdgeRows): GraphInfo["weights"] {
  if (weights === null || weight === null) return null;
  let numNegative = 0;
  let numZero = 0;
  for (const value of weights) {
    if (value < 0) numNegative++;
    else if (value === 0) numZero++;
  }
  return { column: weight, numNegative, numZero };
}

function weightWarnings(found: GraphInfo["weights"], { weights }: EdgeRows): string[] {
  if (!found || !weights) return [];
  const { column, numNegative, numZero } = found;
  const words = [numNegative > 0 && `${numNegative} below zero`, numZero > 0 && `${numZero} of zero`].filter(Boolean);
  if (words.length === 0) return [];
  return [
    `"${column}" has ${words.join(" and ")} among ${weights.length} weights. A weight says how strong an edge is: models that use weights need them above zero. Map another column, or none.`,
  ];
}
