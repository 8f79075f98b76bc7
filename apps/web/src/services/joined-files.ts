import type { NodesSection } from "@hopwise/contracts";
import { type NodeRole, nodeRoles, withRole } from "./column-roles.ts";
import { type DatasetMapping, type PreviewFile, tableKey } from "./dataset-mapping.ts";

type JoinSection = NonNullable<NodesSection["join"]>[number];
export type IdListSection = NonNullable<NodesSection["splitFiles"]>["train"];

/** What of a mapping says which tables the nodes of one section have; in it, roles and widths are by their names. */
export type NodeTables = Pick<DatasetMapping, "uses" | "nodes" | "joins" | "lists" | "sides" | "widths">;

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
const sidesOfUses = Object.entries(listUses) as [ListUse, (typeof listUses)[ListUse]][];

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
  for (const [use, side] of sidesOfUses) {
    const section = nodes?.splitFiles?.[side];
    for (const name of section?.files ?? []) lists[name] = { use, section: section as IdListSection };
  }
  return { joins: distinctNames(joins, files, nodes), lists };
}

/** The sides that files say of rows which are of use beside it, by their keys */
export function sidesIn(
  lists: ReturnType<typeof joinsIn>["lists"],
  useOf: (name: string) => string | undefined,
): DatasetMapping["sides"] {
  const both = Object.entries(lists).filter(([name]) => ["nodes", "type", "joined"].includes(useOf(name) ?? ""));
  return Object.fromEntries(both.map(([name, { use }]) => [name, use]));
}

/** The roles of the columns of joined tables, by the names that they have among those of the nodes */
export function rolesOfJoins(
  joins: Readonly<Record<string, JoinedFile>>,
  roleOf: (column: string) => NodeRole,
): Readonly<Record<string, NodeRole>> {
  const roles = Object.values(joins).flatMap(({ id, names }) =>
    Object.entries(names).map(([name, as]) => [as, name === id ? "ignore" : roleOf(as)] as const),
  );
  return Object.fromEntries(roles);
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

/** Names of the columns that nodes have of all their tables, each once */
export function columnsOfNodes(files: readonly PreviewFile[], tables: NodeTables): readonly string[] {
  const own = filesWith(files, tables, "nodes").flatMap((file) => file.columns.map(({ name }) => name));
  const joined = filesWith(files, tables, "joined").flatMap((file) =>
    Object.values(tables.joins[tableKey(file)]?.names ?? {}),
  );
  return [...new Set([...own, ...joined])];
}

/** Whether a column that is in use has this role, and no second one can have it */
function isTaken(role: NodeRole, files: readonly PreviewFile[], tables: NodeTables): boolean {
  if (["ignore", "feature", "target", "labelFlag", "kind"].includes(role)) return false;
  return columnsOfNodes(files, tables).some((name) => tables.nodes[name] === role);
}

/**
 * The tables with a file that is joined from now on, its columns in the roles that they had or seem to have; a role
 * that another column has is left to that.
 */
export function withJoinedFile<T extends NodeTables>(
  tables: T,
  file: PreviewFile,
  files: readonly PreviewFile[],
  known: readonly NodeRole[] = nodeRoles,
): T {
  const key = tableKey(file);
  const others = { ...tables, uses: { ...tables.uses, [key]: "ignore" as const } };
  const earlier = tables.joins[key];
  const join = earlier ?? newJoin(file, files, others);
  let nodes = tables.nodes;
  for (const { name, role } of file.columns) {
    const as = join.names[name]!;
    const guessed = (earlier ? nodes[as] : known.find((one) => one === role)) ?? "ignore";
    const isFree = name !== join.id && guessed !== "id" && !isTaken(guessed, files, { ...others, nodes });
    nodes = { ...nodes, [as]: isFree ? guessed : "ignore" };
  }
  const widths = file.columns.flatMap(({ name, width }) => (width ? [[join.names[name]!, width] as const] : []));
  return {
    ...tables,
    uses: { ...tables.uses, [key]: "joined" },
    joins: { ...tables.joins, [key]: join },
    nodes,
    widths: { ...tables.widths, ...Object.fromEntries(widths) },
  };
}

function newJoin(file: PreviewFile, files: readonly PreviewFile[], others: NodeTables): JoinedFile {
  const taken = new Set([...columnsOfNodes(files, others), ...Object.keys(others.nodes)]);
  const id = file.columns.find(({ role }) => role === "id") ?? file.columns[0];
  const names = Object.fromEntries(file.columns.map(({ name }) => [name, freeName(name, file.name, taken)]));
  return { id: id?.name ?? null, names, kept: {} };
}

/** The table as its columns are called among those of the nodes, its ids by their own name, and what they are for. */
export function joinedView(file: PreviewFile, { joins, nodes }: Pick<NodeTables, "joins" | "nodes">) {
  const join = joins[tableKey(file)];
  const columns = file.columns.map((column) => ({ ...column, name: shownName(join, column.name) }));
  const roleOf = (name: string) => (name === join?.id ? "id" : (nodes[join?.names[name] ?? name] ?? "ignore"));
  const chosen = Object.fromEntries(file.columns.map(({ name }) => [shownName(join, name), roleOf(name)])) as Record<
    string,
    NodeRole
  >;
  return { file: { ...file, columns }, chosen };
}

/** How a column of a joined table is shown: the ids are no column of the nodes, and have no name among those. */
export function shownName(join: JoinedFile | undefined, column: string): string {
  const called = join?.names[column] ?? column;
  if (column !== join?.id) return called;
  const isOfAnother = Object.entries(join.names).some(([other, as]) => other !== column && as === column);
  return isOfAnother ? called : column;
}

/** Gives a column of a joined table its role; its id is its own, all else is that of the nodes. */
export function withJoinedRole<T extends NodeTables>(mapping: T, file: PreviewFile, shown: string, role: NodeRole): T {
  const key = tableKey(file);
  const join = mapping.joins[key];
  if (!join) return mapping;
  const column = Object.keys(join.names).find((name) => shownName(join, name) === shown) ?? shown;
  const called = join.names[column] ?? column;
  if (role === "id") {
    const joins = { ...mapping.joins, [key]: { ...join, id: column } };
    return { ...mapping, joins, nodes: { ...mapping.nodes, [called]: "ignore" } };
  }
  const joins = join.id === column ? { ...mapping.joins, [key]: { ...join, id: null } } : mapping.joins;
  return { ...mapping, joins, nodes: withRole<NodeRole>(mapping.nodes, called, role) };
}

/** What the spec says of files that are joined or list ids; nothing where there are none. */
export function joinsOf(files: readonly PreviewFile[], mapping: NodeTables): Pick<NodesSection, "join" | "splitFiles"> {
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
  const lists = sidesOfUses.flatMap(([use, side]) => {
    const all = filesOfSide(files, mapping, use);
    const [first] = all;
    if (!first) return [];
    const names = all.map(({ name }) => name);
    return [[side, { ...sectionOfList(first, mapping), files: names }] as const];
  });
  const splitFiles = Object.fromEntries(lists) as unknown as NonNullable<NodesSection["splitFiles"]>;
  return { ...(sections.size > 0 && { join: [...sections.values()] }), ...(lists.length > 0 && { splitFiles }) };
}

/** Files that list ids of this side, and files of nodes whose rows are all of it */
function filesOfSide(files: readonly PreviewFile[], tables: NodeTables, use: ListUse): readonly PreviewFile[] {
  const isOfSide = (key: string) =>
    tables.uses[key] === use || (["nodes", "joined"].includes(tables.uses[key] ?? "") && tables.sides[key] === use);
  return files.filter((file) => isOfSide(tableKey(file)));
}

/** How the ids of a file are read: as it was given; of nodes and joined tables, by their columns of ids. */
function sectionOfList(file: PreviewFile, tables: NodeTables): Omit<IdListSection, "files"> {
  const key = tableKey(file);
  const given = tables.lists[key] ?? { id: file.columns[0]?.name ?? "" };
  if (tables.uses[key] === "joined") return { ...given, id: tables.joins[key]?.id ?? "" };
  if (tables.uses[key] !== "nodes") return given;
  return { ...given, id: file.columns.find(({ name }) => tables.nodes[name] === "id")?.name ?? "" };
}

/** What is still to be decided about them, as sentences */
export function missingOfJoins(files: readonly PreviewFile[], mapping: NodeTables): readonly (string | false)[] {
  const joined = filesWith(files, mapping, "joined");
  const lists = sidesOfUses.flatMap(([use]) => filesOfSide(files, mapping, use));
  const hasNodes = filesWith(files, mapping, "nodes").length > 0;
  const roles = columnsOfNodes(files, mapping).map((name) => mapping.nodes[name]);
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
      filesOfSide(files, mapping, "trainIds").length === 0 &&
      "Lists of ids need one of those to learn from.",
    lists.length > 0 &&
      (roles.includes("split") || roles.includes("trainMask")) &&
      "The split is a column or lists of ids: leave one of them out.",
  ];
}

function filesWith(
  files: readonly PreviewFile[],
  mapping: Pick<NodeTables, "uses">,
  use: string,
): readonly PreviewFile[] {
  return files.filter((file) => mapping.uses[tableKey(file)] === use);
}
