import type { DatasetSpec, DatasetSpecInput, NodesSection } from "@hopwise/contracts";
import type { RelationMapping } from "./typed-mapping.ts";

/** Types without a file of their own: their nodes are the ids that edges name. */
export function typesWithoutFile({ nodeTypes, relations }: Pick<DatasetSpec, "nodeTypes" | "relations">): string[] {
  const ofEdges = new Set((relations ?? []).flatMap(({ files }) => files));
  const isOfEdges = ({ files }: NodesSection) => files.every((file) => ofEdges.has(file));
  return Object.entries(nodeTypes ?? {}).flatMap(([name, section]) => (isOfEdges(section) ? [name] : []));
}

/** What a type would be called whose nodes are the ids in a column: `movie_id` → `movie`. */
export function typeOfIds({ roles }: RelationMapping, end: "src" | "dst"): string | null {
  const column = columnOf(roles, end);
  const stem = column?.replace(/[\s_-]*(?:id|key|no)$/i, "").replaceAll("/", "_");
  return stem || null;
}

/** The nodes of such a type: each id once, however often the first relation that it is an end of names it. */
export function nodesOfEdges(
  type: string,
  relations: readonly (readonly [file: string, relation: RelationMapping])[],
): NonNullable<DatasetSpecInput["nodes"]> | null {
  const used = relations.filter(([, { source, target }]) => source === type || target === type);
  const first = used[0]?.[1];
  if (!first) return null;
  const end = first.source === type ? "src" : "dst";
  const alike = used.filter(([, one]) => one.name === first.name && one.source === first.source);
  return {
    files: alike.map(([file]) => file),
    ...(first.reader && { reader: first.reader }),
    id: columnOf(first.roles, end) ?? "",
    repeatedIds: "last",
  };
}

function columnOf(roles: RelationMapping["roles"], end: "src" | "dst"): string | undefined {
  return Object.keys(roles).find((column) => roles[column] === end);
}
