import type { SplitSide } from "../join-section.ts";
import { baseName } from "./base-name.ts";
import { overlap, valuesOf } from "./column-values.ts";
import type { IdList } from "./joined-samples.ts";
import type { SampledFile } from "./sampled-file.ts";

const saidBy: readonly (readonly [SplitSide, RegExp])[] = [
  ["train", /(?:^|[^a-z])train(?:ing)?(?:[^a-z]|$)/i],
  ["val", /(?:^|[^a-z])(?:val|valid|validation|dev)(?:[^a-z]|$)/i],
  ["test", /(?:^|[^a-z])test(?:ing)?(?:[^a-z]|$)/i],
];

/**
 * Files such as `train.csv`, `val.csv` and `test.csv` with the ids of each side; none where there is no list for
 * training.
 *
 * @param known ids that the samples of nodes and edges have
 */
export function idListsIn(files: readonly SampledFile[], known: ReadonlySet<string>): readonly IdList[] {
  const lists = saidBy.flatMap(([side, says]): IdList[] => {
    const called = files.filter(({ name }) => says.test(baseName(name)));
    const [list] = called.flatMap((file) => listOf(file, known) ?? []);
    return list ? [{ ...list, side }] : [];
  });
  return lists[0]?.side === "train" ? lists : [];
}

/** A list has one column, the ids; its name may be one, too. */
function listOf(file: SampledFile, known: ReadonlySet<string>): Omit<IdList, "side"> | null {
  const [column] = file.columns;
  if (file.columns.length !== 1 || !column) return null;
  const values = valuesOf(file.rows, 0);
  const isHeaderless = file.reader === "csv" && file.options["header"] !== false && known.has(column.name.trim());
  if (values.length > 0 ? overlap(values, known) < 0.5 : !isHeaderless) return null;
  return { file, id: isHeaderless ? "column1" : column.name, isHeaderless };
}
