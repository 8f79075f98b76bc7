import type { DatabaseTable, ForeignKey } from "./database-tables.ts";

/** A foreign key between two tables of nodes. */
export interface Reference extends ForeignKey {
  readonly target: number;
}

/** What a table is in the graph: nodes, edges between two tables of nodes, or nothing. */
export type TableRole =
  | { readonly kind: "nodes"; readonly key: string; readonly references: readonly Reference[] }
  | { readonly kind: "edges"; readonly ends: readonly [Reference, Reference] }
  | { readonly kind: "none"; readonly reason: string };

export interface TableRoles {
  readonly roles: readonly TableRole[];
  /** Foreign keys that lead to no nodes, by table. */
  readonly lost: readonly { readonly table: number; readonly key: ForeignKey }[];
}

/**
 * A table with a key of one column has nodes; one whose key is two foreign keys joins the tables that these lead to.
 * Nodes that no foreign key leads from or to are left out.
 */
export function tableRoles(tables: readonly DatabaseTable[]): TableRoles {
  const hasNodes = tables.map(({ primaryKey }) => primaryKey.length === 1);
  const leads = (key: ForeignKey): key is Reference => key.target !== null && hasNodes[key.target] === true;
  const found = tables.map((table): TableRole => {
    const [key, ...others] = table.primaryKey;
    if (key === undefined)
      return { kind: "none", reason: "It has no primary key, by which its rows would be told apart." };
    if (others.length === 0) return { kind: "nodes", key, references: table.foreignKeys.filter(leads) };
    return joinRole(table, (one): one is Reference => leads(one) && leadsToKey(tables, one));
  });
  const joined = new Set(
    found.flatMap((role, i) => {
      if (role.kind === "edges") return role.ends.map(({ target }) => target);
      if (role.kind === "none" || role.references.length === 0) return [];
      return [i, ...role.references.map(({ target }) => target)];
    }),
  );
  const roles = found.map(
    (role, i): TableRole =>
      role.kind === "nodes" && !joined.has(i)
        ? { kind: "none", reason: "No foreign key that can be used leads from it or to it." }
        : role,
  );
  const lost = tables.flatMap(({ foreignKeys }, table) =>
    foreignKeys.flatMap((key) => (leads(key) ? [] : [{ table, key }])),
  );
  return { roles, lost };
}

function leadsToKey(tables: readonly DatabaseTable[], { target, targetColumns }: Reference): boolean {
  return targetColumns.length === 1 && targetColumns[0] === tables[target]?.primaryKey[0];
}

function joinRole({ primaryKey, foreignKeys }: DatabaseTable, leads: (key: ForeignKey) => key is Reference): TableRole {
  const reason = `Its primary key has ${primaryKey.length} columns (${primaryKey.join(", ")}) that are not two foreign keys; the id of a node is one column.`;
  if (primaryKey.length !== 2) return { kind: "none", reason };
  const [first, second] = primaryKey.map((column) =>
    foreignKeys.filter(leads).find(({ columns }) => columns.length === 1 && columns[0] === column),
  );
  return first && second ? { kind: "edges", ends: [first, second] } : { kind: "none", reason };
}
