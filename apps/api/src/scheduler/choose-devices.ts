import { deviceLinkKinds, type WorkerDevice } from "@hopwise/contracts";

/** How far two devices of a host are from each other: the place of their link among `deviceLinkKinds`. */
export function deviceDistance(a: WorkerDevice, b: WorkerDevice): number {
  if (a.migParent !== null && a.migParent === b.migParent) return deviceLinkKinds.indexOf("board");
  const link = a.links.find(({ to }) => to === b.uuid) ?? b.links.find(({ to }) => to === a.uuid);
  return link ? deviceLinkKinds.indexOf(link.kind) : farthest;
}

const farthest = deviceLinkKinds.length - 1;

/** The greatest distance between any two of them; 0 for one. */
export function deviceSpan(devices: readonly WorkerDevice[]): number {
  return Math.max(0, ...devices.flatMap((a, i) => devices.slice(i + 1).map((b) => deviceDistance(a, b))));
}

/**
 * Chooses devices of one host for ranks that add up their gradients: the island with the fastest links that holds them
 * all and, of several such, the smallest, so that large ones stay whole for those who need them.
 *
 *   0═1 2═3 4  (═ NVLink)   two of them: 0, 1; three of them: 0, 1, 4; one of them: 4
 *
 * @param devices  those that are free, each of them good enough
 * @returns as many as were asked for, by index; null when there are not so many
 */
export function chooseDevices(devices: readonly WorkerDevice[], count: number): readonly WorkerDevice[] | null {
  if (devices.length < count) return null;
  return gather(devices, count).toSorted((a, b) => a.index - b.index);
}

/** There are enough of them. */
function gather(devices: readonly WorkerDevice[], count: number): readonly WorkerDevice[] {
  for (let distance = -1; distance <= farthest; distance++) {
    const [island] = islandsWithin(devices, distance)
      .filter(({ length }) => length >= count)
      .toSorted((a, b) => compareSurroundings(surroundings(a, devices, distance), surroundings(b, devices, distance)));
    if (island) return island.length === count ? island : gatherApart(island, count, distance);
  }
  return [];
}

/** How many devices are with the island at each distance from its own on: the fewer, the less is broken up. */
function surroundings(island: readonly WorkerDevice[], devices: readonly WorkerDevice[], distance: number): number[] {
  const [first] = island;
  return Array.from({ length: farthest - distance + 1 }, (_, i) => {
    const around = islandsWithin(devices, distance + i).find((all) => all.some((device) => device === first));
    return around?.length ?? 0;
  });
}

function compareSurroundings(a: readonly number[], b: readonly number[]): number {
  return a.map((size, i) => size - (b[i] as number)).find((difference) => difference !== 0) ?? 0;
}

/** No closer island of these holds them all: the largest whole, and what is left again as close as it goes. */
function gatherApart(devices: readonly WorkerDevice[], count: number, distance: number): readonly WorkerDevice[] {
  const islands = islandsWithin(devices, distance - 1);
  const largest = islands.find(({ length }) => length === islands.at(-1)?.length) ?? [];
  const rest = devices.filter((device) => !largest.includes(device));
  return count <= largest.length ? largest.slice(0, count) : [...largest, ...gather(rest, count - largest.length)];
}

/** The sets of devices that links of this length or shorter hold together, the smallest first; -1: each by itself. */
function islandsWithin(devices: readonly WorkerDevice[], distance: number): WorkerDevice[][] {
  const islands: WorkerDevice[][] = [];
  for (const device of devices) {
    const near = islands.filter((island) => island.some((other) => deviceDistance(device, other) <= distance));
    const joined = [...near.flat(), device];
    islands.splice(0, islands.length, ...islands.filter((island) => !near.includes(island)), joined);
  }
  return islands.toSorted((a, b) => a.length - b.length || firstIndex(a) - firstIndex(b));
}

function firstIndex(island: readonly WorkerDevice[]): number {
  return Math.min(...island.map(({ index }) => index));
}
