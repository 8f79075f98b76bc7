import type { MissingFeature } from "../dataset-spec.ts";
import { gapsOf } from "./gaps.ts";
import { filesOf, type IdList, type Joins } from "./joined-samples.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";

/** What the spec says of the tables that are joined to those of nodes; `table` has the columns of all. */
export function joinsOf(table: WithRoles, { tables, lists }: Joins) {
  const used = (as: string) => table.roles[table.columns.findIndex(({ name }) => name === as)] !== "none";
  const join = tables.flatMap(({ file, id, drops, taken }) => {
    const columns = taken.flatMap(({ column, as }) => {
      const { name } = file.columns[column]!;
      return used(as) ? [name === as ? name : { column: name, as }] : [];
    });
    const dropped = drops ? { unknown: "drop" as const } : {};
    const section = { files: [...filesOf(file)], ...readerOf([file]), id: file.columns[id]!.name };
    return columns.length > 0 ? [{ ...section, columns, ...dropped }] : [];
  });
  const drops = (name: string) => tables.some((table) => table.drops && filesOf(table.file).includes(name));
  const splitFiles = Object.fromEntries(
    lists.map((list) => [list.side, { ...idListOf(list), ...(drops(list.file.name) && { unknown: "drop" as const }) }]),
  );
  return { ...(join.length > 0 && { join }), ...(lists.length > 0 && { splitFiles }) };
}

function idListOf({ file, id, isHeaderless }: IdList) {
  const options = { ...file.options, header: false };
  const reader = isHeaderless ? { reader: { type: file.reader, options } } : readerOf([file]);
  return { files: [file.name], ...reader, id };
}

type WithRoles = SampledFile & FileRoles;

/** The spec names a reader when the ending does not, or when its options were chosen; those of several files agree. */
export function readerOf(files: readonly SampledFile[]) {
  const chosen = files.find(({ isChosen }) => isChosen);
  return chosen ? { reader: { type: chosen.reader, options: chosen.options } } : {};
}

/** `|` when a label cell of the sample has one: the character that data sets with several labels per node use. */
export function separatorOf({ roles, rows }: WithRoles): string | null {
  const label = roles.indexOf("label");
  return label >= 0 && rows.some((row) => row[label]?.includes("|")) ? "|" : null;
}

export function masksOf(node: WithRoles) {
  const train = columnOf(node, "trainMask");
  return train === null ? null : { train, val: columnOf(node, "valMask"), test: columnOf(node, "testMask") };
}

export function columnsOf({ columns, roles }: WithRoles, role: ColumnRole): string[] {
  return columns.filter((_, i) => roles[i] === role).map(({ name }) => name);
}

/** The columns of features, how many numbers their lists have, and what is taken where they are missing. */
export function featureColumnsOf(file: WithRoles) {
  const columns = columnsOf(file, "feature");
  const multiHot = columnOf(file, "multiHot");
  if (columns.length === 0 && multiHot === null) return null;
  const widths: Record<string, number> = {};
  for (const { name, list } of file.columns) if (list?.width && columns.includes(name)) widths[name] = list.width;
  const missing: Record<string, MissingFeature> = {};
  for (const name of gapsOf(file, file.roles).keys()) missing[name] = { fill: "mean", indicator: true };
  return { columns, widths, missing, ...(multiHot !== null && { multiHot }) };
}

export function columnOf(file: WithRoles, role: ColumnRole): string | null {
  return columnsOf(file, role)[0] ?? null;
}
