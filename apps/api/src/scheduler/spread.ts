import { isLoopback } from "@hopwise/contracts";
import type { WorkerView } from "./placement.ts";

/** Hosts that share the members of a job; auto: one where it has the slots, else as few as have them together. */
export type HostCount = number | "auto";

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
 * The sets of workers that have the slots for a job together, free or not: those that can reach each other, compute
 * on the same kinds of devices with the same instruction set and so give the same bits. In the order of their first
 * workers.
 */
export function workerGroups(
  workers: readonly WorkerView[],
  members: number,
  hosts: HostCount,
): { workers: readonly WorkerView[]; hosts: number }[] {
  const large = hosts === 1 || hosts === "auto" ? workers.filter((w) => w.announcement.slots >= members) : [];
  if (large.length > 0) return [{ workers: large, hosts: 1 }];
  if (hosts === 1) return [];
  const names = new Set(workers.map(groupNameOf).filter((name) => name !== null));
  return [...names].flatMap((name) => {
    const group = workers.filter((worker) => groupNameOf(worker) === name);
    const count = hosts === "auto" ? fewestHosts(group, members) : hosts;
    const hasRoom = group.length >= count && mostSlots(group, count) >= members;
    return hasRoom && count <= members ? [{ workers: group, hosts: count }] : [];
  });
}

function fewestHosts(group: readonly WorkerView[], members: number): number {
  for (let count = 2; count <= group.length; count++) if (mostSlots(group, count) >= members) return count;
  return group.length + 1;
}

/** The most members that so many of these workers can run together. */
export function mostSlots(workers: readonly WorkerView[], count: number): number {
  const slots = workers.map(({ announcement }) => announcement.slots).toSorted((a, b) => b - a);
  return slots.slice(0, count).reduce((sum, each) => sum + each, 0);
}

/** Loopback addresses lead nowhere from another machine: they join workers of one. */
function groupNameOf({ announcement: { rankAddress, host, isa, devices } }: WorkerView): string | null {
  if (rankAddress === null) return null;
  const kinds = [...new Set(devices.map(({ kind }) => kind))].toSorted();
  return `${isa} ${kinds.join("+")} ${isLoopback(rankAddress) ? host : ""}`;
}
