import { rounded, tell } from "./arguments.ts";
import type { RankResult } from "./rank-of-some.ts";

/** Tells how far the losses of several ranks are from one rank's. @returns whether they are one rank's training */
export function areOneRanks(one: RankResult, several: readonly RankResult[]): boolean {
  const [first] = several;
  const apart = first?.losses.map((loss, i) => Math.abs(loss / (one.losses[i] as number) - 1)) ?? [];
  const areWeightsEqual = several.every(({ weights }) => JSON.stringify(weights) === JSON.stringify(first?.weights));
  const largest = Math.max(...apart);
  tell({
    ranks: several.length,
    epochs: apart.length,
    largestDifference: rounded(largest),
    areWeightsEqual,
    reducedBy: first?.reducedBy,
  });
  return areWeightsEqual && apart.length > 0 && largest < 1e-5;
}

/** Tells where the features lay. @returns whether ranks with a share each have the bits of ranks that have all rows */
export function haveSameBits(whole: readonly RankResult[], sharded: readonly RankResult[]): boolean {
  const isSame = (what: "losses" | "weights") =>
    JSON.stringify(sharded.map((rank) => rank[what])) === JSON.stringify(whole.map((rank) => rank[what]));
  const areAllEqual = isSame("losses") && isSame("weights");
  tell({ areAllEqual, placed: sharded[0]?.placed });
  return areAllEqual;
}
