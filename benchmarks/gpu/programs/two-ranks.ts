/**
 * Two ranks, processes of their own, on one device: their losses are one rank's, their weights equal bit by bit. Then
 * with a share of the features each, which the other one reads by a handle of its memory: the bits of two ranks that
 * have all features each. A service gives each rank a device of its own; here is one, so they share it.
 */
import { placementWords } from "../../../packages/gnn-core/src/host/feature-placement.ts";
import { rounded, tell } from "./arguments.ts";
import type { RankResult } from "./rank-of-two.ts";
import { isRankProcess, trained } from "./rank-processes.ts";

if (!(await isRankProcess())) {
  const [one] = await trained(1);
  const whole = await trained(2);
  const isRight = areOneRanks(one as RankResult, whole);
  process.exitCode = areSharers(whole, await trained(2, "sharded")) && isRight ? 0 : 1;
}

function areOneRanks(one: RankResult, [first, second]: readonly RankResult[]): boolean {
  const apart = first?.losses.map((loss, i) => Math.abs(loss / (one.losses[i] as number) - 1)) ?? [];
  const areWeightsEqual = JSON.stringify(first?.weights) === JSON.stringify(second?.weights);
  const largest = Math.max(...apart);
  tell({
    epochs: apart.length,
    largestDifference: rounded(largest),
    areWeightsEqual,
    reducedBy: first?.reducedBy,
  });
  return areWeightsEqual && apart.length > 0 && largest < 1e-5;
}

function areSharers(whole: readonly RankResult[], sharded: readonly RankResult[]): boolean {
  const isSame = (of: "losses" | "weights") =>
    JSON.stringify(sharded.map((rank) => rank[of])) === JSON.stringify(whole.map((rank) => rank[of]));
  const areAllEqual = isSame("losses") && isSame("weights");
  const placed = sharded[0]?.placed;
  tell({ areAllEqual, placed });
  return areAllEqual && placed === placementWords.sharded && whole[0]?.placed === placementWords.device;
}
