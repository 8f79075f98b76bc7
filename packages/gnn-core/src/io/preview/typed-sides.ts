import { columnNamed, columnNames } from "./column-names.ts";
import { overlap, valuesOf } from "./column-values.ts";
import { shapeOf } from "./find-relations.ts";
import { isAbout, sidedTables } from "./id-lists.ts";
import { type IdList, isWhole, noJoins } from "./joined-samples.ts";
import type { SampledFile } from "./sampled-file.ts";
import { nameWithoutSide, sideOf } from "./sides.ts";
import { nameParts, typeOfColumn } from "./type-names.ts";
import { type Pieces, type TypeFile, typeFile } from "./typed-proposal.ts";

/** Files of one folder or beginning, one for each side of the split of one type of node */
interface SidedGroup {
  /** What they are called beside their sides */
  readonly name: string;
  readonly lists: readonly IdList[];
  /** Rows of nodes with columns of their own; null: ids alone */
  readonly table: TypeFile | null;
}

/** Groups such as `train.csv`, `val.csv` and `test.csv` of a folder `paper`, among tables that are no edges */
export function sidedGroups(tables: readonly Pieces[]): readonly SidedGroup[] {
  const byName = new Map<string, SampledFile[]>();
  for (const { file } of tables) {
    if (sideOf(file.name) === null) continue;
    const name = nameWithoutSide(file.name);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName].flatMap(([name, files]) => groupOf(name, files) ?? []);
}

function groupOf(name: string, files: readonly SampledFile[]): SidedGroup | null {
  const sides = files.map((file) => sideOf(file.name)!);
  if (!sides.includes("train") || sides.length < 2 || new Set(sides).size < sides.length) return null;
  if (files.every(({ columns }) => columns.length === 1)) {
    const lists = files.map((file, i): IdList => {
      const { name: id } = file.columns[0]!;
      // Names of columns have no numbers in them, but those that were made up.
      const isHeaderless = file.reader === "csv" && file.options["header"] !== false && /\d/.test(id);
      return { side: sides[i]!, file, id: isHeaderless ? "column1" : id, isHeaderless };
    });
    return { name, lists: inOrder(lists), table: null };
  }
  const columns = ({ columns: own }: SampledFile) => JSON.stringify(own.map((column) => column.name));
  if (files.some((file) => columns(file) !== columns(files[0]!))) return null;
  const read = files.flatMap((file) => typeFile(file, [file.name], ""));
  const lists = sidedTables(read);
  if (lists.length < files.length) return null;
  const [first] = lists as [IdList];
  const type = typeOfGroup(name, first);
  const all = lists.map(({ file }) => file.name);
  const [table] = typeFile({ ...first.file, rows: lists.flatMap(({ file }) => file.rows) }, all, type);
  return table ? { name, lists, table } : null;
}

function inOrder(lists: readonly IdList[]): readonly IdList[] {
  return (["train", "val", "test"] as const).flatMap((side) => lists.filter((list) => list.side === side));
}

/** By the folder or the beginning of the names, else by the column of ids: `paper_id` → `paper`. */
function typeOfGroup(name: string, { id }: IdList): string {
  const own = nameParts(name.replace(/^.*[/\\]/, "")).filter((part) => !/^(splits?|data|raw)$/i.test(part));
  if (own.length > 0) return own.join("_");
  const isGeneral = columnNamed([{ name: id, type: "text" }], columnNames.id) >= 0;
  return isGeneral ? "node" : id.replace(/[\s_-]*(id|key|index|idx|no)$/i, "") || "node";
}

/** What the groups come to: tables of types, tables that say more of one, and lists of the types they are about. */
export function placeGroups(groups: readonly SidedGroup[], described: readonly TypeFile[]) {
  const types: TypeFile[] = [];
  const seconds = new Map<TypeFile, TypeFile>();
  const rows: { readonly lists: readonly IdList[]; readonly of: string }[] = [];
  for (const { lists, table } of groups) {
    if (table === null) continue;
    const base = described.find((one) => lists.every((list) => isAbout(list, one)));
    if (!base) types.push(table);
    else if (table.columns.some(({ name }) => !base.columns.some((column) => column.name === name)))
      seconds.set(table, base);
    rows.push({ lists, of: (base ?? table).name });
  }
  return { types, seconds, rows };
}

/** The types with the lists that are of each, and what is to be said of them. */
export function withLists(
  types: readonly TypeFile[],
  groups: readonly SidedGroup[],
  rows: readonly { readonly lists: readonly IdList[]; readonly of: string }[],
) {
  const notes: string[] = [];
  const unused: SampledFile[] = [];
  const listsOf = new Map<string, readonly IdList[]>();
  const give = (lists: readonly IdList[], owner: TypeFile | undefined) => {
    const names = lists.map(({ file }) => file.name).join(", ");
    const hasSplit = owner?.roles.some((role) => role === "split" || role === "trainMask");
    if (owner && !hasSplit && !listsOf.has(owner.name)) {
      listsOf.set(owner.name, lists);
      notes.push(`${names}: their names say on which side of the split the nodes of ${owner.type} are.`);
      return;
    }
    unused.push(...lists.map(({ file }) => file));
    notes.push(
      owner
        ? `${names}: the split that their names say is not used: the nodes of ${owner.type} have another.`
        : `${names}: of which type of node these are cannot be told, and they are left out. Choose it.`,
    );
  };
  for (const { lists, of } of rows)
    give(
      lists,
      types.find(({ name }) => name === of),
    );
  for (const group of groups) if (group.table === null) give(group.lists, ownerOf(group, types));
  const given = types.map((type) => {
    const lists = listsOf.get(type.name);
    return lists ? { ...type, joins: { ...(type.joins ?? noJoins), lists } } : type;
  });
  return { types: given, notes, unused };
}

/** By what the files or their columns are called, else the one type that has their ids, or ids that look like them */
function ownerOf({ name, lists }: SidedGroup, types: readonly TypeFile[]): TypeFile | undefined {
  const names = types.map(({ type }) => type);
  const called = [name.replace(/^.*[/\\]/, ""), ...lists.map(({ id }) => id)]
    .map((one) => typeOfColumn(one, names))
    .find((type) => type !== null);
  if (called) return types.find(({ type }) => type === called);
  const ids = lists.flatMap(({ file }) => valuesOf(file.rows, 0));
  const only = (has: (known: ReadonlySet<string>, type: TypeFile) => boolean) => {
    const found = types.filter((type) => has(new Set(valuesOf(type.rows, type.roles.indexOf("id"))), type));
    return found.length === 1 ? found[0] : undefined;
  };
  return (
    only((known) => overlap(ids, known) >= 0.5) ??
    only((known, type) => {
      const shapes = new Set([...known].map(shapeOf));
      return !isWhole(type) && ids.length > 0 && ids.every((id) => shapes.has(shapeOf(id)));
    })
  );
}
