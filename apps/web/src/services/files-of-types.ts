import { type NodeRole, nodeRoles } from "./column-roles.ts";
import type { TypedMapping, TypedUse } from "./typed-mapping.ts";

/** The nodes of a file are of the file's type, which no column says. */
export const typedNodeRoles: readonly NodeRole[] = nodeRoles.filter((role) => role !== "type");

/** Files with this use */
export const filesOf = ({ uses }: Pick<TypedMapping, "uses">, use: TypedUse) =>
  Object.keys(uses).filter((file) => uses[file] === use);

/** Names of types that have files of their own */
export function typesWithFile({ uses, types }: TypedMapping): readonly string[] {
  const named = Object.entries(types).filter(([file]) => uses[file] === "type");
  return [...new Set(named.map(([, { name }]) => name.trim()).filter((name) => name !== ""))];
}

/** Files of nodes of this type; they are read by the columns of the first. */
export function filesOfType(type: string, mapping: Pick<TypedMapping, "uses" | "types">): readonly string[] {
  return filesOf(mapping, "type").filter((file) => mapping.types[file]!.name.trim() === type);
}

/** Without the archive and the folders that a file lies in: `shop.zip/nodes/user.csv` → `user.csv`. */
export function ownName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

/** `nodes_paper.csv.gz` → `paper`, as the API proposes it too. */
export function stemOf(file: string): string {
  const stem = ownName(file)
    .replace(/\.(gz|zst|bz2|xz)$/i, "")
    .replace(/\.[^.]*$/, "");
  return stem.replace(/^(nodes?|edges?|features?)[_-]|[_-](nodes?|edges?|features?)$/gi, "");
}
