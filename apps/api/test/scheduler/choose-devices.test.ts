import type { WorkerDevice } from "@hopwise/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseDevices, deviceSpan } from "../../src/scheduler/choose-devices.ts";
import { devicesAt, levels } from "./support/devices.ts";

const indices = (devices: readonly WorkerDevice[] | null) => devices?.map(({ index }) => index);
/** Islands by their first level; the devices of one have the fastest links. */
const islands = (...sizes: number[]) =>
  devicesAt(sizes.flatMap((size, island) => Array.from({ length: size }, () => [island])));

/** Every choice of so many of them. */
function subsets<T>(all: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return all.flatMap((one, i) => subsets(all.slice(i + 1), count - 1).map((rest) => [one, ...rest]));
}

describe("chooseDevices", () => {
  it("keeps ranks on one island where one holds them, and takes the smallest that does", () => {
    const host = islands(4, 2, 1); // 0-3, 4-5, 6
    expect(indices(chooseDevices(host, 1))).toEqual([6]);
    expect(indices(chooseDevices(host, 2))).toEqual([4, 5]);
    expect(indices(chooseDevices(host, 3))).toEqual([0, 1, 2]);
    expect(indices(chooseDevices(host, 5))).toEqual([0, 1, 2, 3, 6]);
    expect(chooseDevices(host, 8)).toBeNull();
    expect(chooseDevices([], 0)).toEqual([]);
  });

  it("counts slices of one GPU as close to each other, and what is not known as far", () => {
    const slices = devicesAt([[0], [1], [2]]).map((device, i) => ({
      ...device,
      links: [],
      migParent: i < 1 ? null : "GPU-parent",
    }));
    expect(indices(chooseDevices(slices, 2))).toEqual([1, 2]);
  });

  it("finds what no other choice is closer than, of free devices alone, for any tree of islands", () => {
    const path = fc.array(fc.nat({ max: 1 }), { minLength: levels, maxLength: levels });
    fc.assert(
      fc.property(
        fc.array(path, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: 255 }),
        fc.integer({ min: 1, max: 4 }),
        (paths, mask, count) => {
          const free = devicesAt(paths).filter((_, i) => (mask >> i) % 2 === 0);
          const chosen = chooseDevices(free, count);
          if (free.length < count) {
            expect(chosen).toBeNull();
            return;
          }
          expect(new Set(chosen).size).toBe(count);
          expect(chosen?.every((device) => free.includes(device))).toBe(true);
          const closest = Math.min(...subsets(free, count).map(deviceSpan));
          expect(deviceSpan(chosen ?? [])).toBe(closest);
        },
      ),
      { numRuns: 150 },
    );
  });
});
