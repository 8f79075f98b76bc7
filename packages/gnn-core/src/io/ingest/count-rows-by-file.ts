import type { DatasetSpec } from "../dataset-spec.ts";
import { sectionsOf } from "../preview/spec-sections.ts";
import type { IngestReport } from "./ingest-report.ts";

interface ReadFile {
  readonly file: string;
  readonly rows: number;
  readonly replaced?: number;
}

/**
 * How many nodes and edges each file has, where a section of the spec has several; one that relations share is counted
 * once for each of them. Left out where each section is one file: what that is called then makes no other graph.
 */
export function countRowsByFile(
  spec: DatasetSpec,
  nodes: readonly ReadFile[],
  edges: readonly ReadFile[],
): Pick<IngestReport, "files"> {
  if (!sectionsOf(spec).some(({ files }) => files.length > 1)) return {};
  const counts = new Map<string, { nodeRows: number; edgeRows: number; replacedRows?: number }>();
  const add = (kind: "nodeRows" | "edgeRows", { file, rows, replaced = 0 }: ReadFile) => {
    const count = counts.get(file) ?? { nodeRows: 0, edgeRows: 0 };
    const replacedRows = (count.replacedRows ?? 0) + replaced;
    counts.set(file, { ...count, [kind]: count[kind] + rows, ...(replacedRows > 0 && { replacedRows }) });
  };
  for (const read of nodes) add("nodeRows", read);
  for (const read of edges) add("edgeRows", read);
  return { files: [...counts].map(([name, count]) => ({ name, ...count })) };
}
