/**
 * Two ranks, processes of their own, on one device: their losses are one rank's, their weights equal bit by bit. Then
 * with a share of the features each, which the other one reads by a handle of its memory: the bits of two ranks that
 * have all features each. A service gives each rank a device of its own, as `several-devices` does where there are
 * several; here they share one.
 */
import { placementWords } from "../../../packages/gnn-core/src/host/feature-placement.ts";
import { areOneRanks, haveSameBits } from "./compare-ranks.ts";
import { type RankResult, type RankTask, trainAsRank } from "./rank-of-some.ts";
import { RankProgram } from "./rank-processes.ts";

// NCCL 2.30 takes two ranks on one GPU with it; older ones refuse them.
const environment = { NCCL_MULTI_RANK_GPU_ENABLE: "1" };

const program = new RankProgram(trainAsRank);
const trained = (worldSize: number, features: RankTask["features"]) =>
  program.run(
    { features, numParts: 2 },
    Array.from({ length: worldSize }, () => environment),
  );

if (!(await program.isRank())) {
  const [one] = await trained(1, "auto");
  const whole = await trained(2, "auto");
  const isRight = areOneRanks(one as RankResult, whole);
  const sharded = await trained(2, "sharded");
  const isShared = haveSameBits(whole, sharded) && sharded[0]?.placed === placementWords.sharded;
  process.exitCode = isRight && isShared && whole[0]?.placed === placementWords.device ? 0 : 1;
}
