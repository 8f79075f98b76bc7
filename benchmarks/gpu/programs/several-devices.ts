/**
 * Ranks on devices of their own, as many as there are, at most eight: NCCL adds up their gradients from device to
 * device, their losses are one rank's, their weights equal bit by bit. Then with a share of the features each, which
 * the kernels of the others read from its memory: the same bits.
 */
import { placementWords } from "../../../packages/gnn-core/src/host/feature-placement.ts";
import { isSmall, tell } from "./arguments.ts";
import { areOneRanks, haveSameBits } from "./compare-ranks.ts";
import { type DeviceHere, environmentsOf, severalDevices } from "./devices-here.ts";
import { type RankResult, type RankTask, trainAsRank } from "./rank-of-some.ts";
import { RankProgram } from "./rank-processes.ts";

const mostRanks = 8;
const program = new RankProgram(trainAsRank);

if (!(await program.isRank())) {
  const devices = severalDevices().slice(0, mostRanks);
  if (devices.length < 2)
    tell({ notRun: `it takes two devices, and there is ${devices.length === 0 ? "none" : "one"}` });
  else process.exitCode = (await areRight(devices)) ? 0 : 1;
}

async function areRight(devices: readonly DeviceHere[]): Promise<boolean> {
  const environments = await environmentsOf(devices);
  const numParts = devices.length;
  const trained = (ranks: number, features: RankTask["features"]) =>
    program.run({ features, numParts }, environments.slice(0, ranks));
  const [one] = await trained(1, "auto");
  const whole = await trained(devices.length, "auto");
  const isRight = areOneRanks(one as RankResult, whole);
  // Rank 0 tells what all have agreed upon.
  const isJoined = whole[0]?.reducedBy.startsWith("Gradients are added up from device to device") === true;
  if (!isJoined) console.error(`NCCL does not join the devices: ${whole[0]?.reducedBy}.`);
  const sharded = await trained(devices.length, "sharded");
  // Devices on PCIe alone may not reach each other: then the log says so, and the rows lie elsewhere.
  const isShared = sharded[0]?.placed === placementWords.sharded;
  const mustShare = isSmall || devices.every(({ isLinked }) => isLinked);
  if (mustShare && !isShared) console.error(`The features should lie in shares, and yet: ${sharded[0]?.placed}.`);
  return haveSameBits(whole, sharded) && isRight && isJoined && (isShared || !mustShare);
}
