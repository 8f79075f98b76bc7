import { plainName } from "./column-names.ts";
import { areDistinct, overlap, valuesOf } from "./column-values.ts";
import { shapeOf } from "./find-relations.ts";
import { type IdList, isWhole } from "./joined-samples.ts";
import type { NodeRoles } from "./node-roles.ts";
import type { SampledFile } from "./sampled-file.ts";
import { sideOf } from "./sides.ts";

/** Ids that samples of nodes and edges have */
export interface KnownIds {
  readonly ids: ReadonlySet<string>;
  /** Whether these are some of the ids, of files that are longer than what was looked at */
  readonly areCut: boolean;
}

/**
 * Files such as `train.csv`, `val.csv` and `test.csv` with the ids of each side, one in a row; none where there is no
 * list for training.
 */
export function idListsIn(files: readonly SampledFile[], known: KnownIds): readonly IdList[] {
  const shapes = new Set([...known.ids].map(shapeOf));
  const lists = (["train", "val", "test"] as const).flatMap((side): IdList[] => {
    const called = files.filter(({ name }) => sideOf(name) === side);
    const [list] = called.flatMap((file) => listOf(file, known, shapes) ?? []);
    return list ? [{ ...list, side }] : [];
  });
  return lists[0]?.side === "train" ? lists : [];
}

/** A list has one column, the ids; its name may be one, too. */
function listOf(file: SampledFile, known: KnownIds, shapes: ReadonlySet<string>): Omit<IdList, "side"> | null {
  const [column] = file.columns;
  if (file.columns.length !== 1 || !column) return null;
  const values = valuesOf(file.rows, 0);
  const name = column.name.trim();
  // Long files may begin with other nodes than was looked at: their ids look alike.
  const looksSo = (id: string) => known.areCut && shapes.has(shapeOf(id));
  const isId = known.ids.has(name) || (/\d/.test(name) && looksSo(name));
  const isHeaderless = file.reader === "csv" && file.options["header"] !== false && isId;
  const areIds = overlap(values, known.ids) >= 0.5 || values.every(looksSo);
  if (values.length > 0 ? !areIds : !isHeaderless) return null;
  return { file, id: isHeaderless ? "column1" : column.name, isHeaderless };
}

/** A table with rows of nodes */
export type NodeRowsFile = SampledFile & NodeRoles;

/** Tables of nodes with columns of their own, each of one side as its name says; none without one of training. */
export function sidedTables(files: readonly NodeRowsFile[]): readonly IdList[] {
  const tables = files.flatMap((file): IdList[] => {
    const side = sideOf(file.name);
    const id = file.roles.indexOf("id");
    if (side === null || id < 0 || file.columns.length < 2) return [];
    if (!areDistinct(valuesOf(file.rows, id))) return [];
    return [{ side, file, id: file.columns[id]!.name, isHeaderless: false }];
  });
  const sides = tables.map(({ side }) => side);
  const isOneEach = new Set(sides).size === sides.length;
  const inOrder = (["train", "val", "test"] as const).flatMap((side) => tables.filter((table) => table.side === side));
  return isOneEach && sides.includes("train") && sides.length > 1 ? inOrder : [];
}

/** Whether the rows of a table of one side are about nodes that another table has, too */
export function isAbout({ file, id }: IdList, base: NodeRowsFile): boolean {
  const own = file.columns.findIndex(({ name }) => name === id);
  const theirs = base.roles.indexOf("id");
  const [ids, known] = [valuesOf(file.rows, own), valuesOf(base.rows, theirs)];
  if (overlap(ids, new Set(known)) >= 0.5) return true;
  const isCalledSo = plainName(id) === plainName(base.columns[theirs]?.name ?? "");
  return !isWhole(base) && isCalledSo && shapeOf(ids[0] ?? "") === shapeOf(known[0] ?? "");
}

/** Whether a table has no column that another lacks: of it, the ids are what is new. */
export function saysNoMore({ file }: IdList, base: SampledFile): boolean {
  return file.columns.every(({ name }) => base.columns.some((column) => column.name === name));
}
