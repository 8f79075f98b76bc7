/** A file that is to be fetched, as it is asked for. */
export interface AskedFile {
  readonly url: string;
  readonly name?: string;
  /** What a database is asked. */
  readonly query?: string;
  readonly credential?: string;
}

/**
 * Files of a text with an address in each line, before which a name may stand: `edges.csv https://…`.
 *
 * @returns the files, or what is wrong with the first line that is neither
 */
export function addressesIn(text: string): { readonly files: AskedFile[] } | { readonly objection: string } {
  const lines = text.split("\n").map((line) => line.trim());
  const files: AskedFile[] = [];
  for (const [i, line] of lines.entries()) {
    if (line === "") continue;
    const [, name, url = ""] = /^(?:(\S.*?)\s+)?(\S+)$/.exec(line) ?? [];
    if (!isFileAddress(url)) return { objection: `Line ${i + 1} has no address that begins with https:// or s3://.` };
    files.push({ url, ...(name !== undefined && { name }) });
  }
  return { files };
}

/** Whether an address is that of a file, which is fetched, and not of a server that is asked. */
export function isFileAddress(text: string): boolean {
  return /^(?:https?|s3):\/\/[^/]/i.test(text.trim());
}

/** What the files are called, for the name of a dataset. */
export function namesOf(files: readonly AskedFile[]): { readonly name: string }[] {
  const inAddress = (url: string) => new URL(url).pathname.split("/").at(-1) ?? "";
  // What is asked of a file is called after the file.
  return files.map(({ name, url, query }) => ({
    name: query !== undefined && isFileAddress(url) ? inAddress(url) : (name ?? inAddress(url)),
  }));
}
