/** How logs and incidents call a member of a group: the ranks come first, then the sampler processes. */
export function memberName(member: number, numRanks: number): string {
  return member < numRanks ? `Rank ${member}` : `Sampler ${member - numRanks}`;
}
