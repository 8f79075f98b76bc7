import { isLoopback } from "@hopwise/contracts";
import type { HostCount } from "./need.ts";
import { holds, type Load, type Offer, type Room, wholeRoom } from "./offers.ts";

/**
 * Splits members over hosts as evenly as their capacities permit, at least one each.
 *
 * @returns members of each host, or null when there are too few members or too little room
 */
export function spread(members: number, capacities: readonly number[]): number[] | null {
  const room = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (members < capacities.length || room < members || capacities.some((capacity) => capacity < 1)) return null;
  const shares = capacities.map(() => 1);
  for (let left = members - shares.length; left > 0; left--) {
    const smallest = shares
      .map((share, host) => ({ share, host }))
      .filter(({ share, host }) => share < (capacities[host] as number))
      .toSorted((a, b) => a.share - b.share || a.host - b.host)[0] as { host: number };
    shares[smallest.host] = (shares[smallest.host] as number) + 1;
  }
  return shares;
}

/**
 * Splits the members of a stage over hosts whose ranks get a device each: first the ranks, then as many sampler
 * processes as are left, hosts without ranks first. At least one member each, hosts without ranks last.
 *
 * @returns ranks and members of each host, in the order of the hosts given; null when there is too little room
 */
export function spreadOverDevices(
  { members, devices: ranks }: Load,
  rooms: readonly Room[],
): { ranks: number; members: number }[] | null {
  const numRankHosts = Math.min(ranks, rooms.length);
  const rankShares = spread(
    ranks,
    rooms.slice(0, numRankHosts).map((room) => room.ranks),
  );
  if (rankShares === null) return null;
  const left = rooms.map(({ slots }, i) => slots - (rankShares[i] ?? 0));
  const others: number[] = rooms.map((_, i) => (rankShares[i] === undefined ? 1 : 0));
  let rest = members - ranks - others.reduce((sum, one) => sum + one, 0);
  if (rest < 0 || left.some((free, i) => free < (others[i] as number))) return null;
  for (let host = rooms.length - 1; host >= 0 && rest > 0; host--) {
    const more = Math.min(rest, (left[host] as number) - (others[host] as number));
    others[host] = (others[host] as number) + more;
    rest -= more;
  }
  if (rest > 0) return null;
  return rooms.map((_, i) => ({ ranks: rankShares[i] ?? 0, members: (rankShares[i] ?? 0) + (others[i] as number) }));
}

export interface OfferGroup {
  readonly offers: readonly Offer[];
  readonly hosts: number;
}

/**
 * The sets of workers that have the room for a job together, free or not: those that can reach each other, compute
 * on the same model of device with the same instruction set and so give the same bits. In the order of their first
 * workers.
 */
export function offerGroups(offers: readonly Offer[], load: Load, hosts: HostCount): OfferGroup[] {
  const large = hosts === 1 || hosts === "auto" ? offers.filter((offer) => holds([wholeRoom(offer)], load)) : [];
  if (large.length > 0) return [{ offers: large, hosts: 1 }];
  if (hosts === 1) return [];
  const names = new Set(offers.map(groupNameOf).filter((name) => name !== null));
  return [...names].flatMap((name) => {
    const group = offers.filter((offer) => groupNameOf(offer) === name);
    const count = hosts === "auto" ? fewestHosts(group, load) : hosts;
    const hasRoom = group.length >= count && holds(largestRooms(group, count), load);
    return hasRoom && count <= load.members ? [{ offers: group, hosts: count }] : [];
  });
}

function fewestHosts(group: readonly Offer[], load: Load): number {
  for (let count = 2; count <= group.length; count++) if (holds(largestRooms(group, count), load)) return count;
  return group.length + 1;
}

/** The rooms of so many workers: those with the most devices, then slots. */
export function largestRooms(offers: readonly Offer[], count: number): Room[] {
  const rooms = offers.map(wholeRoom);
  return rooms.toSorted((a, b) => compareRooms(b, a)).slice(0, count);
}

/** Below 0: the first has less. Room for ranks without limit is the same everywhere. */
export function compareRooms(a: Room, b: Room): number {
  return a.ranks === b.ranks ? a.slots - b.slots : a.ranks - b.ranks;
}

/** Loopback addresses lead nowhere from another machine: they join workers of one. */
function groupNameOf({ worker, model }: Offer): string | null {
  const { rankAddress, host, isa } = worker.announcement;
  return rankAddress === null ? null : `${isa} ${model} ${isLoopback(rankAddress) ? host : ""}`;
}
