import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { featureLayoutOf } from "../../io/ingest/feature-layout.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { oneHotDim, oneHotNames } from "../../io/ingest/one-hot.ts";
import { defaultReadingLimits } from "../../io/limits/reading-limits.ts";

/**
 * What the columns of the features are called: `age`, `kind = C`, `embedding[3]`, `age is missing`; where a matrix has
 * them, their numbers from 0. Columns that one type of node has begin with it: `paper: age`.
 */
export function featureNames({ features }: Pick<GraphInfo, "features">, spec: DatasetSpec): readonly string[] {
  const names = namesOf(features, spec.nodes);
  return (features.types ?? []).reduce((all, { name, first, dim }) => {
    const section = spec.nodeTypes?.[name];
    // Kinds of one type are not among the facts of the graph; its columns are then told by number.
    const isPlain = section && oneHotNames(section).length === 0;
    const own = namesOf({ ...features, dim }, isPlain ? section : null);
    const shown = own.map((column) => `${name}: ${column}`);
    return [...all.slice(0, first), ...shown, ...all.slice(first + dim)];
  }, names);
}

function namesOf(features: GraphInfo["features"], nodes: DatasetSpec["nodes"]): readonly string[] {
  const names = Array.from({ length: features.dim }, (_, column) => String(column));
  if (!nodes?.features || "file" in nodes.features) return names;
  const kinds = features.oneHot ?? [];
  for (const [column, name] of kinds.flatMap(({ name, values }) => values.map((v) => `${name} = ${v}`)).entries()) {
    names[column] = name;
  }
  for (const { name, first, width, missing } of featureLayoutOf(nodes, defaultReadingLimits, oneHotDim(kinds))
    .columns) {
    for (let i = 0; i < (width ?? 1); i++) names[first + i] = width === null ? name : `${name}[${i}]`;
    if (missing?.indicator) names[first + (width ?? 1)] = `${name} is missing`;
  }
  return names;
}
