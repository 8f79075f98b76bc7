import type { DatasetSpec } from "../../io/dataset-spec.ts";
import { featureLayoutOf } from "../../io/ingest/feature-layout.ts";
import { multiHotName } from "../../io/ingest/index-lists.ts";
import type { GraphInfo } from "../../io/ingest/ingest-report.ts";
import { oneHotDim } from "../../io/ingest/one-hot.ts";
import { defaultReadingLimits } from "../../io/limits/reading-limits.ts";
import { type FeatureSection, featureSections } from "./feature-sections.ts";

/**
 * What the columns of the features are called: `age`, `kind = C`, `embedding[3]`, `age is missing`; where a matrix has
 * them, their numbers from 0. Columns that one type of node has begin with it: `paper: age`.
 */
export function featureNames(info: Pick<GraphInfo, "features">, spec: DatasetSpec): readonly string[] {
  return featureSections(info, spec).flatMap((part) => {
    const names = namesOf(part);
    return part.type === null ? names : names.map((name) => `${part.type}: ${name}`);
  });
}

function namesOf({ dim, section, kinds }: FeatureSection): readonly string[] {
  const names = Array.from({ length: dim }, (_, column) => String(column));
  if (!section?.features || "file" in section.features) return names;
  for (const [column, name] of kinds.flatMap(({ name, values }) => values.map((v) => `${name} = ${v}`)).entries()) {
    names[column] = name;
  }
  const layout = featureLayoutOf(section, defaultReadingLimits, oneHotDim(kinds));
  const lists = multiHotName(section);
  if (lists !== null) for (let i = layout.dim; i < dim; i++) names[i] = `${lists}[${i - layout.dim}]`;
  for (const { name, first, width, missing } of layout.columns) {
    for (let i = 0; i < (width ?? 1); i++) names[first + i] = width === null ? name : `${name}[${i}]`;
    if (missing?.indicator) names[first + (width ?? 1)] = `${name} is missing`;
  }
  return names;
}
