import { GnnError } from "../../errors/gnn-error.ts";
import type { NodesSection } from "../dataset-spec.ts";
import { type FeatureColumn, type FeatureLayout, wantedOf } from "./feature-layout.ts";
import type { IngestContext } from "./ingest-context.ts";
import { type NodeSource, readNodeColumns } from "./node-source.ts";

/** What is taken where features are missing, and how often it was. */
export class MissingFills {
  readonly layout: FeatureLayout;
  readonly #means: ReadonlyMap<string, Float64Array>;
  readonly #counts: Float64Array;

  /** @param means of the columns that are filled with theirs */
  constructor(layout: FeatureLayout, means: ReadonlyMap<string, Float64Array>) {
    this.layout = layout;
    this.#means = means;
    this.#counts = new Float64Array(layout.columns.length);
  }

  /** Writes a missing cell of the column at this place of the layout, and its indicator, into a row of features. */
  fill(column: number, rows: Float32Array, to: number): void {
    const { name, width, missing } = this.layout.columns[column]!;
    const numbers = width ?? 1;
    const means = this.#means.get(name);
    if (means) rows.set(means, to);
    else rows.fill(missing?.fill as number, to, to + numbers);
    if (missing?.indicator) rows[to + numbers] = 1;
    this.#counts[column]!++;
  }

  /** What was filled in, in sentences. */
  notes(): string[] {
    return this.layout.columns.flatMap(({ name, width, missing }, i) => {
      const count = this.#counts[i]!;
      if (count === 0 || missing === null) return [];
      const [mean] = this.#means.get(name) ?? [];
      const said = width === null && mean !== undefined ? `the mean, ${Number(mean.toPrecision(6))},` : undefined;
      const taken = said ?? (missing.fill === "mean" ? "the mean" : String(missing.fill));
      const marked = missing.indicator ? "; the column behind it is 1 there" : "";
      return [`${count} ${count === 1 ? "value" : "values"} of "${name}" were missing: ${taken} was taken${marked}.`];
    });
  }
}

/**
 * Reads the columns once more that are filled with their means, to know these before the first row is written.
 *
 * @throws GnnError DATASET_VALUE_INVALID when no row has a value
 */
export async function missingFills(
  context: IngestContext,
  section: NodesSection,
  layout: FeatureLayout,
  source: NodeSource,
): Promise<MissingFills> {
  const averaged = layout.columns.filter(({ missing }) => missing?.fill === "mean");
  const sums = averaged.map(({ width }) => new Float64Array(width ?? 1));
  const counts = new Float64Array(averaged.length);
  if (averaged.length > 0) {
    const wanted = averaged.map(wantedOf);
    for await (const { columns, numRows } of readNodeColumns(context, section, wanted, "read means", source)) {
      for (const [i, sum] of sums.entries()) counts[i]! += addKnown(sum, columns[i] as Float64Array, numRows);
    }
  }
  const means = averaged.map((column, i) => {
    if (counts[i] === 0) throw nothingKnown(section.files[0] as string, column);
    return [column.name, sums[i]!.map((sum) => sum / counts[i]!)] as const;
  });
  return new MissingFills(layout, new Map(means));
}

/** Adds the cells that are not missing; returns how many these are. */
function addKnown(sum: Float64Array, cells: Float64Array, numRows: number): number {
  const width = sum.length;
  let known = 0;
  for (let row = 0; row < numRows; row++) {
    if (Number.isNaN(cells[row * width])) continue;
    known++;
    for (let k = 0; k < width; k++) sum[k]! += cells[row * width + k]!;
  }
  return known;
}

function nothingKnown(file: string, { name }: FeatureColumn): GnnError {
  const message = `${file}, column "${name}": no row has a value, so that there is no mean to fill it with. Leave the column out.`;
  return new GnnError("DATASET_VALUE_INVALID", message, { place: { file, field: name } });
}
