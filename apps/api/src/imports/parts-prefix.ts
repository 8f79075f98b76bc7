/** Where what has come of an import lies until all of it is there. */
export function partsPrefix(projectId: string, importId: string): string {
  return `projects/${projectId}/imports/${importId}`;
}
