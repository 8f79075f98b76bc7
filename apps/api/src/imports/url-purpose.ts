/** What the whole address of an import's file is sealed for. */
export function urlPurpose(fileId: string): string {
  return `import-url:${fileId}`;
}
