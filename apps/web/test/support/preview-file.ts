import type { PreviewFile } from "../../src/services/dataset-mapping.ts";

/** A file as the preview shows it, each column with the role that is proposed. */
export function previewFile(name: string, columns: readonly (readonly [name: string, role: string])[]): PreviewFile {
  return {
    name,
    reader: "csv",
    options: {},
    isReaderChosen: false,
    reasons: [],
    problem: null,
    bytes: 10,
    numRowsSampled: 0,
    columns: columns.map(([column, role]) => ({ name: column, type: "text", role, width: null })),
    rows: [],
  };
}
