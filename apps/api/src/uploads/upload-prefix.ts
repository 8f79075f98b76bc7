/** Where what has come of a resumable upload lies until all of it is there. */
export function uploadPrefix({ projectId, id }: { readonly projectId: string; readonly id: string }): string {
  return `projects/${projectId}/uploads/${id}`;
}
