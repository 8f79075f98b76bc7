import { folderOfPieces } from "./pieces.ts";

/**
 * A file's own name: of `graph.zip/folder/nodes.csv` neither the archive's nor a folder's, which name other things. A
 * piece of a table, `nodes/part-0.parquet`, is called by its folder.
 */
export function baseName(name: string): string {
  return (folderOfPieces(name) ?? name).replace(/^.*[/\\]/, "");
}
