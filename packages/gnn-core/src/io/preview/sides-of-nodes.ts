import { valuesOf } from "./column-values.ts";
import { idListsIn, isAbout, type KnownIds, type NodeRowsFile, saysNoMore, sidedTables } from "./id-lists.ts";
import { type IdList, isWhole } from "./joined-samples.ts";
import type { ColumnRole, FileRoles, SampledFile } from "./sampled-file.ts";

type FileWithKind = SampledFile & FileRoles & { readonly kind: "edges" | "nodes" | "matrix" | "none" };

/** Which files say on which side of the split nodes are */
export interface SidesOfNodes {
  readonly lists: readonly IdList[];
  /** The table of all nodes, where rows of a side say more of them, or the same; null: there is none */
  readonly base: NodeRowsFile | null;
  /** Files that have nothing for the nodes but the side */
  readonly apart: readonly SampledFile[];
}

/** Lists of ids, or tables of nodes each of which is of one side, by the names of the files */
export function sidesOf(found: readonly FileWithKind[]): SidesOfNodes {
  const lists = idListsIn(found, knownIds(found));
  if (lists.length > 0) return { lists, base: null, apart: lists.map(({ file }) => file) };
  const nodes = found.filter(({ kind }) => kind === "nodes") as unknown as readonly NodeRowsFile[];
  const sided = sidedTables(nodes);
  const others = nodes.filter((file) => file.columns.length > 1 && !sided.some((table) => table.file === file));
  const base = others.find((one) => sided.length > 0 && sided.every((table) => isAbout(table, one))) ?? null;
  const apart = base ? sided.filter((table) => saysNoMore(table, base)).map(({ file }) => file) : [];
  return { lists: sided, base, apart };
}

/** The ids that samples of nodes and edges have */
function knownIds(files: readonly FileWithKind[]): KnownIds {
  const ends: readonly ColumnRole[] = ["id", "src", "dst"];
  const tables = files.filter(({ columns, roles }) => columns.length > 1 && roles.some((role) => ends.includes(role)));
  const ids = tables.flatMap(({ roles, rows }) =>
    roles.flatMap((role, i) => (ends.includes(role) ? valuesOf(rows, i) : [])),
  );
  return { ids: new Set(ids), areCut: tables.some((file) => !isWhole(file)) };
}

/** Those of them that count beside the table that was made of the nodes, and what is to be said of it. */
export function listsBeside(
  { lists, base, apart }: SidesOfNodes,
  { roles }: FileRoles,
  used: readonly SampledFile[],
): { readonly lists: readonly IdList[]; readonly notes: readonly string[] } {
  if (lists.length === 0) return { lists, notes: [] };
  const areLists = lists.every(({ file }) => file.columns.length === 1);
  if (roles.includes("split") || roles.includes("trainMask")) {
    const unused = areLists ? lists.map(({ file }) => file) : apart;
    const notes = unused.map(({ name }) => `${name} is left out: the nodes have a split of their own.`);
    return { lists: [], notes };
  }
  if (areLists) return { lists, notes: [] };
  const own = lists.filter(({ file }) => used.includes(file));
  if (base === null && own.length < lists.length) return { lists: [], notes: [] };
  const said = lists.map(({ file, side }) => `${file.name} (${side})`).join(", ");
  const ofWhat = base === null ? "Their names say" : `They have rows of nodes in ${base.name}, and their names say`;
  const unread = apart.length > 0 ? ` Their columns are read of ${base!.name} alone.` : "";
  return { lists, notes: [`${said}: ${ofWhat} on which side of the split the nodes of each are.${unread}`] };
}
