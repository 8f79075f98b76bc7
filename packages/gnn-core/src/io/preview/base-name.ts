/** A file's own name: of `graph.zip/folder/nodes.csv` neither the archive's nor a folder's, which name other things. */
export function baseName(name: string): string {
  return name.replace(/^.*[/\\]/, "");
}
