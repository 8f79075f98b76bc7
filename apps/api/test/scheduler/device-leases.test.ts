import type { WorkerDevice } from "@hopwise/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantedSlices, slicesOf } from "../../src/job-state/stage-slices.ts";
import type { Need } from "../../src/scheduler/need.ts";
import { placeStage } from "../../src/scheduler/placement.ts";
import { placesOf, workerViews } from "../../src/scheduler/worker-views.ts";
import { devicesAt } from "./support/devices.ts";
import { announcementOf, need, worker } from "./support/worker-view.ts";

const onDevices = (ranks: number, change: Partial<Need> = {}): Need => ({
  ...need,
  device: "cuda",
  members: ranks,
  mostMembers: ranks,
  devices: ranks,
  mostDevices: ranks,
  ...change,
});
const islands = (prefix: string, ...sizes: number[]) =>
  devicesAt(
    sizes.flatMap((size, island) => Array.from({ length: size }, () => [island])),
    prefix,
  );
const devicesOf = (placement: ReturnType<typeof placeStage>) =>
  "slices" in placement
    ? placement.slices.map(({ worker: { announcement }, devices }) => [
        announcement.id,
        devices?.map(({ index }) => index),
      ])
    : placement.waiting;

describe("placeStage, where ranks get devices of their own", () => {
  it("takes the worker whose devices are nearest to each other, of those that have enough of them free", () => {
    const apart = worker("a", 9, { devices: islands("a", 1, 1) });
    const together = worker("b", 8, { devices: islands("b", 2) });
    const busy = worker("c", 9, { devices: islands("c", 2) });
    busy.takenDevices.add("c-0");
    expect(devicesOf(placeStage(onDevices(2), [apart, together, busy]))).toEqual([["b", [0, 1]]]);
  });

  it("says of a worker whose devices are in use which ones, and keeps the rest for the job, but not the slots", () => {
    const host = worker("a", 9, { slots: 9, devices: islands("GPU", 2) });
    host.takenDevices.add("GPU-1");
    const placement = placeStage(onDevices(2), [host]);
    expect(placement).toMatchObject({ lacks: "devices", reserve: [{ announcement: { id: "a" } }] });
    expect(devicesOf(placement)).toBe(
      "2 free devices are needed at once, each for one rank. On a 1 of 2 × x is free; in use: 1 (GPU-1). Waiting for the jobs that use them to end.",
    );
    expect(placeStage(onDevices(2), [worker("a", 1, { devices: islands("GPU", 2) })])).toMatchObject({
      lacks: "slots",
    });
  });

  it("never gives one job devices of two models, nor ones that are too small or that nobody asked for", () => {
    const [first, second] = islands("a", 1, 1) as [WorkerDevice, WorkerDevice];
    const mixed = worker("a", 4, { devices: [first, { ...second, name: "y" }] });
    expect(devicesOf(placeStage(onDevices(2), [mixed]))).toMatch(
      /a: it has 1 CUDA device of one model that will do, and each of the 2 ranks needs one/,
    );
    const small = worker("a", 4, { devices: [first, { ...second, memoryBytes: 80e9 }] });
    expect(devicesOf(placeStage(onDevices(1, { deviceBytes: 40e9 }), [small]))).toEqual([["a", [1]]]);
    expect(devicesOf(placeStage(onDevices(1, { deviceBytes: 90e9 }), [small]))).toMatch(
      /each rank needs 90\.0 GB of its device's memory, and the largest has 80\.0 GB/,
    );
    const emulated = worker("a", 4, { devices: [{ ...first, isEmulated: true }] });
    expect(devicesOf(placeStage(onDevices(1, { device: "auto" }), [emulated]))).toMatch(/devices are emulated/);
    expect(devicesOf(placeStage(onDevices(1), [emulated]))).toEqual([["a", [0]]]);
    expect(devicesOf(placeStage({ ...need, members: 1, mostMembers: 1 }, [emulated]))).toEqual([["a", undefined]]);
  });

  it("shares a job over hosts that have the devices together, sampler processes where there are slots", () => {
    const near = (id: string) => worker(id, 4, { devices: islands(id, 2), rankAddress: `10.0.0.${id.charCodeAt(0)}` });
    const withSamplers = onDevices(4, { members: 7, mostMembers: 7 });
    const placement = placeStage(withSamplers, [near("a"), near("b")]);
    expect(devicesOf(placement)).toEqual([
      ["a", [0, 1]],
      ["b", [0, 1]],
    ]);
    expect("slices" in placement && placement.slices.reduce((sum, { members }) => sum + members, 0)).toBe(7);
    expect(devicesOf(placeStage(onDevices(5), [near("a"), near("b")]))).toMatch(/No worker can run this job/);
  });
});

it("no device is ever held by two stages, each rank has one, and a job waits only when no worker has them free", () => {
  const cluster = fc.array(
    fc.record({ devices: fc.subarray([0, 1, 2, 3, 4]), slots: fc.integer({ min: 1, max: 5 }) }),
    { minLength: 1, maxLength: 3 },
  );
  // Below 0: a stage ends.
  const actions = fc.array(fc.integer({ min: -2, max: 4 }), { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(cluster, actions, (hosts, steps) => {
      // The last two devices of every worker are the same: several workers of one host see its GPUs.
      const present = hosts.map(({ devices, slots }, i) => {
        const own = devicesAt([[0], [0], [1], [1], [1]]).filter(({ index }) => devices.includes(index));
        const named = own.map((device) => ({ ...device, uuid: `${device.index > 2 ? "all" : i}-${device.index}` }));
        return { announcement: announcementOf(`w${i}`, { slots, devices: named }), refusal: null };
      });
      const stages: { slices: ReturnType<typeof grantedSlices> }[] = [];
      for (const ranks of steps) {
        if (ranks <= 0) {
          stages.splice(-ranks, 1);
          continue;
        }
        const views = workerViews(present, stages);
        const couldBegin = views.some(({ announcement: { devices }, freeSlots, takenDevices }) => {
          const free = devices.filter(({ uuid }) => !takenDevices.has(uuid ?? ""));
          return free.length >= ranks && freeSlots >= ranks;
        });
        const placement = placeStage(onDevices(ranks, { hosts: 1 }), views);
        expect("slices" in placement).toBe(couldBegin);
        if ("slices" in placement) stages.push({ slices: grantedSlices(placesOf(placement.slices), ranks) });
        const held = stages.flatMap(slicesOf);
        expect(held.map(({ devices }) => devices.length)).toEqual(held.map((slice) => slice.ranks.count));
        const uuids = held.flatMap(({ devices }) => devices);
        expect(new Set(uuids).size).toBe(uuids.length);
        for (const { workerId, devices } of held) {
          const announced = present.find(({ announcement }) => announcement.id === workerId)?.announcement.devices;
          expect(devices.every((uuid) => announced?.some((device) => device.uuid === uuid))).toBe(true);
        }
      }
    }),
    { numRuns: 100 },
  );
});
