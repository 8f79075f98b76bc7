import { palette } from "../theme.ts";

/**
 * Which colour of the palette a run has: by its id alone, so that it is the same on every page and in every comparison
 * (FNV-1a, 32 bits).
 */
export function runColor(id: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % palette.length;
}

/** Lengths of strokes and gaps that tell lines of one colour apart; the first is unbroken. */
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [2, 6]] as const;

/** The dashes of the nth line of a colour. */
export function dashOf(index: number): readonly number[] {
  return dashes[index % dashes.length] ?? [];
}
