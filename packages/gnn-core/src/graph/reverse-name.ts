/** What the reverse of a relation is called. */
export function reverseName(relation: string): string {
  return `rev_${relation}`;
}
