/** What the whole address of an import's file is sealed for. */
export function urlPurpose(fileId: string): string {
  return `import-url:${fileId}`;
}

/** What the address below which an import's file was found is sealed for. */
export function prefixPurpose(fileId: string): string {
  return `import-prefix:${fileId}`;
}
