import type { DatasetSpec } from "@hopwise/contracts";
import type { NodeRole } from "./column-roles.ts";
import type { PreviewFile } from "./dataset-mapping.ts";
import { filesOfType, stemOf, typedNodeRoles, typesWithFile } from "./files-of-types.ts";
import {
  columnsOfNodes,
  isListUse,
  type JoinedFile,
  joinedView,
  joinsIn,
  missingOfJoins,
  type NodeTables,
  shownName,
  withJoinedFile,
} from "./joined-files.ts";
import type { TypedMapping, TypedUse } from "./typed-mapping.ts";

/** What a spec says of joined tables and lists of ids, and of which type each is; of one table, the first file's. */
export function ownersIn(files: readonly PreviewFile[], spec: DatasetSpec | null) {
  const [ofOneTable] = spec?.nodes?.files ?? [];
  const sections = Object.entries(spec?.nodeTypes ?? {});
  if (spec?.nodes && ofOneTable !== undefined) sections.push([stemOf(ofOneTable), spec.nodes]);
  const uses: Record<string, TypedUse> = {};
  const owners: Record<string, string> = {};
  const joins: Record<string, JoinedFile> = {};
  const lists: Record<string, TypedMapping["lists"][string]> = {};
  const sides: Record<string, TypedMapping["sides"][string]> = {};
  for (const [type, section] of sections) {
    const said = joinsIn(section, files);
    for (const [file, join] of Object.entries(said.joins)) {
      [uses[file], owners[file], joins[file]] = ["joined", type, join];
    }
    for (const [file, { use, section: list }] of Object.entries(said.lists)) {
      lists[file] = list;
      if (section.files.includes(file) || said.joins[file]) sides[file] = use;
      else [uses[file], owners[file]] = [use, type];
    }
  }
  return { uses, owners, joins, lists, sides };
}

/** Whether a file says more of nodes that another file has */
export function saysMore(use: TypedUse): boolean {
  return use === "joined" || isListUse(use);
}

/** The tables of one type, as the form of one table of nodes knows them */
export function tablesOfType(type: string, mapping: TypedMapping): NodeTables {
  const own = filesOfType(type, mapping);
  const first = mapping.types[own[0] ?? ""];
  const uses: Record<string, NodeTables["uses"][string]> = Object.fromEntries(own.map((file) => [file, "nodes"]));
  for (const [file, use] of Object.entries(mapping.uses)) {
    if ((use === "joined" || isListUse(use)) && mapping.owners[file] === type) uses[file] = use;
  }
  return {
    uses,
    nodes: first?.roles ?? {},
    widths: first?.widths ?? {},
    joins: mapping.joins,
    lists: mapping.lists,
    sides: mapping.sides,
  };
}

/** The mapping with what was changed in the tables of one type */
export function withTablesOfType(type: string, tables: NodeTables, mapping: TypedMapping): TypedMapping {
  const [first] = filesOfType(type, mapping);
  if (first === undefined) return mapping;
  const changed = { ...mapping.types[first]!, roles: tables.nodes, widths: tables.widths };
  return { ...mapping, types: { ...mapping.types, [first]: changed }, joins: tables.joins };
}

/** The mapping with a file that says more of nodes: those of the type that was chosen, or that it is likely about. */
export function withMoreOf(
  mapping: TypedMapping,
  file: PreviewFile,
  files: readonly PreviewFile[],
  use: TypedUse,
): TypedMapping {
  const types = typesWithFile({ ...mapping, uses: { ...mapping.uses, [file.name]: use } });
  const earlier = mapping.owners[file.name] ?? "";
  const owner = types.includes(earlier) ? earlier : likelyOwner(file, files, types, mapping);
  return withOwner({ ...mapping, uses: { ...mapping.uses, [file.name]: use } }, file, files, owner);
}

/** The mapping with a file of more that is of another type; its columns keep their roles where these are free. */
export function withOwner(
  mapping: TypedMapping,
  file: PreviewFile,
  files: readonly PreviewFile[],
  owner: string,
): TypedMapping {
  const { name } = file;
  const earlier = mapping.owners[name] ?? "";
  const owned = { ...mapping, owners: { ...mapping.owners, [name]: owner } };
  if (mapping.uses[name] !== "joined" || filesOfType(owner, mapping).length === 0) return owned;
  const tables = tablesOfType(owner, owned);
  const join = mapping.joins[name];
  const joinTo = (to: NodeTables, read: PreviewFile) => withJoinedFile(to, read, files, typedNodeRoles);
  if (!join || earlier === owner || hasItAlready(tables, join, name, files))
    return withTablesOfType(owner, joinTo(tables, file), owned);
  const left = withoutJoin(tablesOfType(earlier, mapping), join, name, files);
  const { chosen } = joinedView(file, tablesOfType(earlier, mapping));
  const columns = file.columns.map((column) => ({
    ...column,
    role: chosen[shownName(join, column.name)] ?? column.role,
  }));
  const others = Object.fromEntries(Object.entries(tables.joins).filter(([other]) => other !== name));
  const moved = joinTo({ ...tables, joins: others }, { ...file, columns });
  const joins = { ...moved.joins, [name]: { ...moved.joins[name]!, kept: join.kept } };
  return withTablesOfType(owner, { ...moved, joins }, withTablesOfType(earlier, left, owned));
}

/** The tables without what a table that goes to another type had brought: its names are free. */
function withoutJoin(tables: NodeTables, join: JoinedFile, name: string, files: readonly PreviewFile[]): NodeTables {
  const others = columnsOfNodes(files, { ...tables, uses: { ...tables.uses, [name]: "ignore" } });
  const brought = Object.values(join.names).filter((as) => !others.includes(as));
  const nodes = Object.fromEntries(Object.entries(tables.nodes).filter(([column]) => !brought.includes(column)));
  return { ...tables, nodes };
}

/** Whether the type has the columns of the table, as one has that was renamed */
function hasItAlready(tables: NodeTables, { names }: JoinedFile, name: string, files: readonly PreviewFile[]): boolean {
  const others = columnsOfNodes(files, { ...tables, uses: { ...tables.uses, [name]: "ignore" } });
  return Object.values(names).every((as) => Object.hasOwn(tables.nodes, as) && !others.includes(as));
}

/** The only type, or the one whose first rows share most ids with those of the file; "": none does. */
function likelyOwner(
  file: PreviewFile,
  files: readonly PreviewFile[],
  types: readonly string[],
  mapping: TypedMapping,
): string {
  if (types.length === 1) return types[0]!;
  const own = idsOf(file, idColumn(file));
  const shared = types.map((type) => {
    const tables = files.filter(({ name }) => filesOfType(type, mapping).includes(name) && name !== file.name);
    const ids = new Set(
      tables.flatMap((table) =>
        idsOf(
          table,
          table.columns.findIndex(({ name }) => mapping.types[table.name]?.roles[name] === "id"),
        ),
      ),
    );
    return own.filter((id) => ids.has(id)).length;
  });
  const most = Math.max(0, ...shared);
  return most > 0 && shared.filter((count) => count === most).length === 1 ? types[shared.indexOf(most)]! : "";
}

function idColumn({ columns }: PreviewFile): number {
  return Math.max(
    0,
    columns.findIndex(({ role }) => role === "id"),
  );
}

function idsOf({ rows }: PreviewFile, column: number): string[] {
  return rows.flatMap((row) => row[column] ?? []);
}

/** The roles of columns that nodes of the type have of all its tables; those of tables that are left out are not. */
export function usedRoles(files: readonly PreviewFile[], tables: NodeTables): Readonly<Record<string, NodeRole>> {
  return Object.fromEntries(
    columnsOfNodes(files, tables).map((name) => [name, tables.nodes[name] ?? "ignore"] as const),
  );
}

/** What is still to be decided about files that say more of nodes, as sentences */
export function undecidedOfJoins(
  files: readonly PreviewFile[],
  mapping: TypedMapping,
  types: readonly string[],
): readonly (string | false)[] {
  const unowned = files.filter(
    ({ name }) => saysMore(mapping.uses[name] ?? "ignore") && !types.includes(mapping.owners[name] ?? ""),
  );
  return [
    ...unowned.map(({ name }) => `${name}: choose the type of which it says more.`),
    ...types.flatMap((type) => missingOfJoins(files, tablesOfType(type, mapping))),
  ];
}
