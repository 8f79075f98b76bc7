import type { NodesSection } from "@hopwise/contracts";
import { type NodeRole, nodeRoles, withRole } from "./column-roles.ts";
import { type DatasetMapping, type PreviewFile, tableKey } from "./dataset-mapping.ts";

type JoinSection = NonNullable<NodesSection["join"]>[number];
type IdListSection = NonNullable<NodesSection["splitFiles"]>["train"];

/** A table whose columns are joined to the nodes by id */
export interface JoinedFile {
  /** Its column of ids; null: not chosen yet */
  readonly id: string | null;
  /** How its columns are called among those of the nodes */
  readonly names: Readonly<Record<string, string>>;
  readonly kept: Pick<JoinSection, "reader" | "unknown">;
}

export const listUses = { trainIds: "train", valIds: "val", testIds: "test" } as const;
export type ListUse = keyof typeof listUses;

export function isListUse(use: string): use is ListUse {
  return Object.hasOwn(listUses, use);
}

/** How an earlier spec reads files that are joined or list ids, by their names. */
export function joinsIn(nodes: NodesSection | null, files: readonly PreviewFile[]) {
  const joins: Record<string, JoinedFile> = {};
  const lists: Record<string, { readonly use: ListUse; readonly section: IdListSection }> = {};
  const fileOf = (name: string) => files.find((file) => file.name === name);
  for (const { files: names, id, reader, unknown, columns } of nodes?.join ?? []) {
    for (const name of names) {
      const own = Object.fromEntries((fileOf(name)?.columns ?? []).map((column) => [column.name, column.name]));
      const called = (columns ?? []).map((one) => (typeof one === "string" ? [one, one] : [one.column, one.as]));
      const kept = { ...(reader && { reader }), ...(unknown && { unknown }) };
      joins[name] = { id, names: { ...own, ...Object.fromEntries(called) }, kept };
    }
  }
  for (const [use, side] of Object.entries(listUses) as [ListUse, (typeof listUses)[ListUse]][]) {
    const section = nodes?.splitFiles?.[side];
    for (const name of section?.files ?? []) lists[name] = { use, section: section as IdListSection };
  }
  return { joins: distinctNames(joins, files, nodes), lists };
}

/** Columns that the spec does not use are called so that no two have one name. */
function distinctNames(
  joins: Readonly<Record<string, JoinedFile>>,
  files: readonly PreviewFile[],
  nodes: NodesSection | null,
): Record<string, JoinedFile> {
  const own = files.filter(({ name }) => nodes?.files.includes(name)).flatMap(({ columns }) => columns);
  const taken = new Set(own.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(joins).map(([file, join]) => {
      const names = Object.entries(join.names).map(([column, as]) => [column, freeName(as, file, taken)] as const);
      for (const [, as] of names) taken.add(as);
      return [file, { ...join, names: Object.fromEntries(names) }];
    }),
  );
}

function freeName(name: string, file: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const stem = file.replace(/^.*[/\\]/, "").replace(/\..*$/, "");
  for (let count = 1; ; count++) {
    const longer = `${name}_${stem}${count === 1 ? "" : `_${count}`}`;
    if (!taken.has(longer)) return longer;
  }
}

/** The mapping with a file that is joined from now on, its columns in the roles that they seem to have. */
export function withJoinedFile(
  mapping: DatasetMapping,
  file: PreviewFile,
  files: readonly PreviewFile[],
): DatasetMapping {
  const key = tableKey(file);
  const uses = { ...mapping.uses, [key]: "joined" as const };
  if (mapping.joins[key]) return { ...mapping, uses };
  const others = files.filter((one) => mapping.uses[tableKey(one)] === "nodes").flatMap(({ columns }) => columns);
  const taken = new Set([...others.map(({ name }) => name), ...Object.keys(mapping.nodes)]);
  const id = file.columns.find(({ role }) => role === "id") ?? file.columns[0];
  const names = Object.fromEntries(file.columns.map(({ name }) => [name, freeName(name, file.name, taken)]));
  const joins = { ...mapping.joins, [key]: { id: id?.name ?? null, names, kept: {} } };
  let nodes = mapping.nodes;
  for (const { name, role } of file.columns) {
    const guessed = nodeRoles.find((one) => one === role && one !== "id") ?? "ignore";
    const isTaken = Object.values(nodes).includes(guessed) && !["feature", "target", "labelFlag"].includes(guessed);
    nodes = { ...nodes, [names[name]!]: isTaken || name === id?.name ? "ignore" : guessed };
  }
  return { ...mapping, uses, joins, nodes };
}

/** The table as its columns are called among those of the nodes, and what they are for. */
export function joinedView(file: PreviewFile, { joins, nodes }: DatasetMapping) {
  const { id = null, names = {} } = joins[tableKey(file)] ?? {};
  const called = (name: string) => names[name] ?? name;
  const columns = file.columns.map((column) => ({ ...column, name: called(column.name) }));
  const chosen = Object.fromEntries(
    file.columns.map(({ name }) => [called(name), name === id ? "id" : (nodes[called(name)] ?? "ignore")]),
  ) as Record<string, NodeRole>;
  return { file: { ...file, columns }, chosen };
}

/** Gives a column of a joined table its role; its id is its own, all else is that of the nodes. */
export function withJoinedRole(
  mapping: DatasetMapping,
  file: PreviewFile,
  called: string,
  role: NodeRole,
): DatasetMapping {
  const key = tableKey(file);
  const join = mapping.joins[key];
  if (!join) return mapping;
  const column = Object.keys(join.names).find((name) => join.names[name] === called) ?? called;
  if (role === "id") {
    const joins = { ...mapping.joins, [key]: { ...join, id: column } };
    return { ...mapping, joins, nodes: { ...mapping.nodes, [called]: "ignore" } };
  }
  const joins = join.id === column ? { ...mapping.joins, [key]: { ...join, id: null } } : mapping.joins;
  return { ...mapping, joins, nodes: withRole<NodeRole>(mapping.nodes, called, role) };
}

/** What the spec says of files that are joined or list ids; nothing where there are none. */
export function joinsOf(
  files: readonly PreviewFile[],
  mapping: DatasetMapping,
): Pick<NodesSection, "join" | "splitFiles"> {
  const sections = new Map<string, JoinSection>();
  for (const file of filesWith(files, mapping, "joined")) {
    const { id, names, kept } = mapping.joins[tableKey(file)]!;
    const used = file.columns.filter(
      ({ name }) => name !== id && (mapping.nodes[names[name]!] ?? "ignore") !== "ignore",
    );
    const columns = used.map(({ name }) => (names[name] === name ? name : { column: name, as: names[name]! }));
    const section = { id: id ?? "", columns, ...kept };
    const key = JSON.stringify(section);
    sections.set(key, { files: [...(sections.get(key)?.files ?? []), file.name], ...section });
  }
  const lists = Object.entries(listUses).flatMap(([use, side]) => {
    const all = filesWith(files, mapping, use);
    const [first] = all;
    if (!first) return [];
    const plain = { id: first.columns[0]?.name ?? "" };
    const names = all.map(({ name }) => name);
    return [[side, { ...(mapping.lists[tableKey(first)] ?? plain), files: names }] as const];
  });
  const splitFiles = Object.fromEntries(lists) as unknown as NonNullable<NodesSection["splitFiles"]>;
  return { ...(sections.size > 0 && { join: [...sections.values()] }), ...(lists.length > 0 && { splitFiles }) };
}

/** What is still to be decided about them, as sentences */
export function missingOfJoins(files: readonly PreviewFile[], mapping: DatasetMapping): readonly (string | false)[] {
  const joined = filesWith(files, mapping, "joined");
  const lists = Object.keys(listUses).flatMap((use) => filesWith(files, mapping, use));
  const hasNodes = filesWith(files, mapping, "nodes").length > 0;
  const roles = Object.values(mapping.nodes);
  return [
    joined.length + lists.length > 0 && !hasNodes && "Further columns and lists of ids need a file of nodes.",
    ...joined.flatMap((file) => {
      const { id, names } = mapping.joins[tableKey(file)]!;
      const isUsed = file.columns.some(({ name }) => (mapping.nodes[names[name]!] ?? "ignore") !== "ignore");
      return [
        id === null && `${file.name}: choose the column with the node id.`,
        !isUsed && `${file.name}: choose what its columns are for, or leave it out.`,
      ];
    }),
    lists.length > 0 &&
      filesWith(files, mapping, "trainIds").length === 0 &&
      "Lists of ids need one of those to learn from.",
    lists.length > 0 &&
      (roles.includes("split") || roles.includes("trainMask")) &&
      "The split is a column or lists of ids: leave one of them out.",
  ];
}

function filesWith(files: readonly PreviewFile[], mapping: DatasetMapping, use: string): readonly PreviewFile[] {
  return files.filter((file) => mapping.uses[tableKey(file)] === use);
}
