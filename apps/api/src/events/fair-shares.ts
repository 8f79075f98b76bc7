/**
 * Divides `limit` among those who want so much each: nobody gets more than it wants, and who gets less than it wants
 * gets at least as much as anybody else.
 */
export function fairShares(wants: readonly number[], limit: number): number[] {
  const shares = wants.map(() => 0);
  const bySize = wants.map((_, i) => i).toSorted((a, b) => (wants[a] ?? 0) - (wants[b] ?? 0));
  let left = limit;
  for (const [place, i] of bySize.entries()) {
    const share = Math.min(wants[i] ?? 0, Math.ceil(left / (bySize.length - place)));
    shares[i] = share;
    left -= share;
  }
  return shares;
}
