/**
 * Whether a name of a dataset spec is that of an uploaded file, or leads into one that may be an archive: names of
 * uploads have no `/`, and a file in an archive is called by its path behind the archive's name.
 */
export function isUploaded(uploaded: ReadonlySet<string>, file: string): boolean {
  return uploaded.has(file) || (file.includes("/") && uploaded.has(file.slice(0, file.indexOf("/"))));
}
