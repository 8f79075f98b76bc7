import { saysMissing } from "../missing-words.ts";
import type { ColumnInfo } from "../table-source.ts";
import { isFeatureName } from "./column-names.ts";
import { valuesOf } from "./column-values.ts";
import { named } from "./left-out.ts";
import type { ColumnRole, SampledFile } from "./sampled-file.ts";

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** Whether a column that passes for text holds numbers, some of them missing, that would be a feature if none were. */
export function isFeatureWithGaps({ name, type }: ColumnInfo, values: readonly string[]): boolean {
  if (type !== "text" || values.length === 0 || !values.every((value) => decimal.test(value))) return false;
  return isFeatureName(name) || values.some((value) => /[.eE]/.test(value));
}

/** How often each feature column is missing in the rows that were looked at; columns without a gap have no entry. */
export function gapsOf({ columns, rows }: SampledFile, roles: readonly ColumnRole[]): ReadonlyMap<string, number> {
  const gaps = new Map<string, number>();
  for (const [i, { name }] of columns.entries()) {
    if (roles[i] !== "feature") continue;
    const missing = rows.filter((row) => saysMissing(row[i] ?? "")).length;
    if (missing > 0 && valuesOf(rows, i).length > 0) gaps.set(name, missing);
  }
  return gaps;
}

/** What is proposed for features with gaps, and where to choose otherwise; null: there are none. */
export function gapsNote(file: SampledFile, roles: readonly ColumnRole[]): string | null {
  const gaps = gapsOf(file, roles);
  if (gaps.size === 0) return null;
  const most = Math.max(...gaps.values());
  const [is, them] = gaps.size === 1 ? ["is", "it"] : ["are", "them"];
  return `${file.name}: ${named([...gaps.keys()])} ${is} missing in up to ${most} of ${file.rows.length} rows. The mean of the known values is proposed there, and a column behind ${them} that is 1 where a value is missing. Choose otherwise in features.missing.`;
}
