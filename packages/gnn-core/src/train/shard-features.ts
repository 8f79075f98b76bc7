import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import type { FeaturesHandle } from "../backends/native/graph-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { RankContext } from "../dist/rank-context.ts";
import { tellRanks } from "../dist/tell-ranks.ts";
import { type FeaturePlacement, type FeatureRoom, fitsWhole, placeFeatures } from "../host/feature-placement.ts";
import { FeatureShare } from "./feature-share.ts";

/** Rows in shares with the devices of other ranks */
export interface ShardedFeatures {
  /**
   * Gives this rank's share back when no rank reads it any more. Every rank calls it at the same place. A run that has
   * failed does not: others may still read the share, which then goes with the process.
   */
  close(): Promise<void>;
}

/** What a rank tells the others before any share is made */
interface Offer {
  /** Lowest rank of its host */
  readonly host: number;
  readonly process: number;
  /** Where its device sits on the bus */
  readonly address: string;
  readonly deviceBytes: number;
}

/**
 * Puts this rank's share of a matrix into its device's memory for the other ranks of its host to read, where the rows
 * do not fit into each device as a whole, or the job asks for it. Every rank calls it. Those of a host share together
 * or not at all; if they do not, the matrix is placed as if each was alone, with the reason told.
 *
 * @returns what to close in the end; null: no rank shares anything
 */
export async function shardFeatures(
  cuda: CudaBackend,
  features: FeaturesHandle,
  asked: FeaturePlacement | "auto",
  { rank, worldSize, localRank, collective }: RankContext,
): Promise<ShardedFeatures | null> {
  const room = cuda.features.roomOf(features);
  if (!room || worldSize === 1 || (asked !== "auto" && asked !== "sharded")) return null;
  const address = nativeSync(() => cuda.addon.busAddress());
  const own: Offer = { host: rank - localRank, process: process.pid, address, deviceBytes: room.deviceBytes };
  const offers = await tellRanks(collective, own);
  if (asked === "auto" && offers.every(({ deviceBytes }) => fitsWhole({ ...room, deviceBytes }))) return null;

  const ofHost = <Told>(all: readonly Told[]) => all.filter((_, i) => offers[i]?.host === own.host);
  const group = ofHost(offers);
  cuda.features.forget(features);
  const share = new FeatureShare(cuda, features, { index: localRank, count: group.length });
  const parts = await tellRanks(collective, share.make(objectionTo(cuda, room, asked, group)));
  const outcomes = await tellRanks(collective, share.open(ofHost(parts)));
  const refusals = ofHost(outcomes).filter((whyNot) => whyNot !== "");
  if (refusals.length > 0) share.refuse(refusals[0] as string);
  else share.use(room.deviceBytes);
  // Nobody gives back what another one still has open.
  if (outcomes.some((whyNot) => whyNot !== "")) await collective.barrier();
  if (refusals.length > 0) share.giveBack();
  const isAnyShared = outcomes.some((whyNot) => whyNot === "");
  return isAnyShared ? { close: () => share.close(() => collective.barrier()) } : null;
}

/** Why this rank does not share the rows with the others of its host; empty: it does */
function objectionTo(
  { addon }: CudaBackend,
  room: FeatureRoom,
  asked: FeaturePlacement | "auto",
  group: readonly Offer[],
): string {
  if (group.length < 2) return "no other rank is on this host";
  if (new Set(group.map((offer) => offer.process)).size < group.length) return "ranks of one process have one device";
  const deviceBytes = Math.min(...group.map((offer) => offer.deviceBytes));
  const addresses = group.map((offer) => offer.address);
  const areLinked = asked === "sharded" || nativeSync(() => areJoined(addon, addresses));
  if (!areLinked) return "NVLink does not join the devices of this host";
  const sharers = { count: group.length, areLinked };
  if (placeFeatures({ ...room, deviceBytes }, { asked, sharers }).placement === "sharded") return "";
  return "the devices of this host have no room for a share each";
}

function areJoined(addon: CudaBackend["addon"], addresses: readonly string[]): boolean {
  const own = addresses.indexOf(addon.busAddress());
  return addresses.every((address, i) => i === own || addon.isJoinedByNvlink(address));
}
