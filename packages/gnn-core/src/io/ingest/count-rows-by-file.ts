import type { IngestReport } from "./ingest-report.ts";

interface ReadFile {
  readonly file: string;
  readonly rows: number;
}

/** How many nodes and edges each file has; one that relations share is counted once for each of them. */
export function countRowsByFile(
  nodes: readonly ReadFile[],
  edges: readonly ReadFile[],
): NonNullable<IngestReport["files"]> {
  const counts = new Map<string, { nodeRows: number; edgeRows: number }>();
  const add = (kind: "nodeRows" | "edgeRows", { file, rows }: ReadFile) => {
    const count = counts.get(file) ?? { nodeRows: 0, edgeRows: 0 };
    counts.set(file, { ...count, [kind]: count[kind] + rows });
  };
  for (const read of nodes) add("nodeRows", read);
  for (const read of edges) add("edgeRows", read);
  return [...counts].map(([name, count]) => ({ name, ...count }));
}
