/**
 * @param text how many (`3`: 0, 1, 2), or first and last (`3-9`)
 */
export function chooseSeeds(text: string): readonly number[] {
  const [, first, last] = /^(?:(\d+)-)?(\d+)$/.exec(text) ?? [];
  const from = Number(first ?? 0);
  const to = first === undefined ? Number(last) - 1 : Number(last);
  if (last === undefined || to < from) throw new Error(`--seeds ${text}: expected how many, or FIRST-LAST as in 0-9.`);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
