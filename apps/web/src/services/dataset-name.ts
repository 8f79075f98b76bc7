interface ChosenFile {
  readonly name: string;
  /** As a drop of folders has it: `/friends/nodes.csv`, `./nodes.csv` */
  readonly path?: string;
}

/**
 * A name for a dataset of these files: that of the folder in which all of them were dropped, or of the only file
 * without its endings; empty when neither tells.
 */
export function nameOfFiles(files: readonly ChosenFile[]): string {
  const folders = new Set(files.map(topFolder));
  const [folder] = folders;
  if (folders.size === 1 && folder) return folder;
  const [only] = files;
  return files.length === 1 && only ? only.name.replace(/(?<=.)\..*$/, "") : "";
}

/** What a file is called in a dataset: in a drop of folders two files may have one name, and pieces of a table do. */
export function nameWithFolders(file: ChosenFile): string {
  const parts = partsOf(file);
  return parts.length > 1 ? parts.join("/") : file.name;
}

function partsOf({ path = "" }: ChosenFile): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function topFolder(file: ChosenFile): string {
  const parts = partsOf(file);
  return parts.length > 1 ? (parts[0] as string) : "";
}
