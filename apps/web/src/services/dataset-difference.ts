import type { ArtifactInfo } from "@hopwise/contracts";
import { absent, formatCount, formatPercent } from "./format.ts";
import { specDifferences, valueText } from "./spec-difference.ts";

/** What of two versions of a dataset is compared. */
export interface ComparedVersion {
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  readonly spec: unknown;
  readonly graph: {
    readonly numNodes: number;
    readonly numEdges: number;
    readonly numFeatures: number;
    readonly classes: readonly string[];
    readonly splits: readonly { readonly split: string; readonly count: number }[];
    readonly homophily: { readonly share: number } | null;
    /** As ingest wrote it; null: it was an earlier version's */
    readonly profile: unknown;
  } | null;
  readonly report: {
    readonly duplicateEdges: number;
    readonly selfLoops: number;
    readonly isolatedNodes: number;
  } | null;
}

export interface VersionDifference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** What differs between two versions: files, how they were read, and the graph that came of it. */
export function versionDifferences(before: ComparedVersion, after: ComparedVersion): VersionDifference[] {
  return [...fileDifferences(before, after), ...graphDifferences(before, after), ...mappingDifferences(before, after)];
}

function fileDifferences(before: ComparedVersion, after: ComparedVersion): VersionDifference[] {
  const names = [...new Set([...before.files, ...after.files].map(({ name }) => name))].toSorted();
  return names.flatMap((name) => {
    const [old, now] = [before, after].map(({ files }) => files.find((file) => file.name === name));
    if (old?.sha256 === now?.sha256) return [];
    const text = (file: typeof old) => (file ? `${file.sha256.slice(0, 12)}…` : absent);
    return [{ what: `File ${name}`, before: text(old), after: text(now) }];
  });
}

function componentsOf(graph: ComparedVersion["graph"]) {
  return (graph?.profile as ArtifactInfo<"graph">["profile"] | null)?.components;
}

type Figure = readonly [what: string, of: (version: ComparedVersion) => string];

const figures: readonly Figure[] = [
  ["Nodes", ({ graph }) => formatCount(graph?.numNodes)],
  ["Edges stored", ({ graph }) => formatCount(graph?.numEdges)],
  ["Features per node", ({ graph }) => formatCount(graph?.numFeatures)],
  ["Classes", ({ graph }) => graph?.classes.join(", ") || absent],
  ...["train", "val", "test", "none"].map(
    (split): Figure => [
      `Split ${split}`,
      ({ graph }) => formatCount(graph?.splits.find((one) => one.split === split)?.count),
    ],
  ),
  ["Edge homophily", ({ graph }) => formatPercent(graph?.homophily?.share)],
  ["Components", ({ graph }) => formatCount(componentsOf(graph)?.count)],
  ["Nodes of the largest component", ({ graph }) => formatCount(componentsOf(graph)?.largest)],
  ["Repeated edges", ({ report }) => formatCount(report?.duplicateEdges)],
  ["Self-loops", ({ report }) => formatCount(report?.selfLoops)],
  ["Isolated nodes", ({ report }) => formatCount(report?.isolatedNodes)],
];

function graphDifferences(before: ComparedVersion, after: ComparedVersion): VersionDifference[] {
  return figures
    .map(([what, of]) => ({ what, before: of(before), after: of(after) }))
    .filter((row) => row.before !== row.after);
}

function mappingDifferences(before: ComparedVersion, after: ComparedVersion): VersionDifference[] {
  return specDifferences(before.spec ?? {}, after.spec ?? {}).map(({ path, before: old, after: now }) => ({
    what: `Mapping: ${path}`,
    before: valueText(old),
    after: valueText(now),
  }));
}
