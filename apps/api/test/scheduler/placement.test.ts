import { type WorkerAnnouncement, workerDevice } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import type { Need } from "../../src/scheduler/need.ts";
import { placeStage } from "../../src/scheduler/placement.ts";
import { need, worker } from "./support/worker-view.ts";

const chosen = (placement: ReturnType<typeof placeStage>) =>
  "slices" in placement ? placement.slices[0].worker.announcement.id : null;
const sharesOf = (placement: ReturnType<typeof placeStage>) =>
  "slices" in placement
    ? placement.slices.map((slice) => [slice.worker.announcement.id, slice.members])
    : placement.waiting;
const near = (id: string, freeSlots: number, change: Partial<WorkerAnnouncement> = {}) =>
  worker(id, freeSlots, { rankAddress: `10.0.0.${id.charCodeAt(0)}`, ...change });

describe("placeStage", () => {
  it("takes the worker with the most free slots, and the one that has the inputs before it", () => {
    const workers = [worker("a", 2), worker("b", 4), worker("c", 3)];
    expect(chosen(placeStage(need, workers))).toBe("b");
    expect(chosen(placeStage(need, workers, { preferred: "c" }))).toBe("c");
  });

  it("never splits the ranks of what fits on one host: too few free slots means waiting, with the worker kept for it", () => {
    const placement = placeStage(need, [worker("a", 1), worker("b", 0)]);
    expect(placement).toMatchObject({ waiting: expect.stringContaining("2 free slots"), reserve: [{ freeSlots: 1 }] });
  });

  it.each([
    ["is too small", { slots: 1 }, {}, "1 slots"],
    ["is draining", { draining: true }, {}, "draining"],
    ["lacks a step", { components: [] }, {}, "step:train@1"],
    ["has another label", {}, { labels: { zone: "b" } }, "zone"],
    ["has no CUDA device", {}, { device: "cuda" as const }, "CUDA"],
  ])("says why when the only worker %s", (_what, announcement, change, reason) => {
    const placement = placeStage({ ...need, ...change }, [worker("a", 4, announcement)]);
    expect(placement).toMatchObject({ waiting: expect.stringContaining(reason), reserve: [] });
  });

  it("says that there is no worker when there is none", () => {
    expect(placeStage(need, [])).toMatchObject({ waiting: "No worker is online.", reserve: [] });
  });

  const on = (...kinds: ("cpu" | "cuda")[]) => ({
    devices: kinds.map((kind, index) => workerDevice.parse({ kind, index, name: "x", memoryBytes: 1 })),
  });

  it("uses CUDA where it is and may", () => {
    const both = worker("a", 4, on("cpu", "cuda"));
    expect(placeStage(need, [both])).toMatchObject({ device: "cuda" });
    expect(placeStage({ ...need, device: "cpu" }, [both])).toMatchObject({ device: "cpu" });
  });

  it("gives a job the device that it names and no other, also where another worker has more room", () => {
    const workers = [worker("a", 2, on("cpu")), worker("b", 4, on("cuda"))];
    expect(placeStage({ ...need, device: "cpu" }, workers)).toMatchObject({ device: "cpu" });
    expect(chosen(placeStage({ ...need, device: "cpu" }, workers))).toBe("a");
    expect(chosen(placeStage({ ...need, device: "cuda" }, workers))).toBe("b");
  });

  it("never shares a job between workers that compute on different kinds of devices", () => {
    const four: Need = { ...need, members: 4, mostMembers: 4, hosts: 2 };
    const mixed = [near("a", 4, on("cpu")), near("b", 4, on("cuda"))];
    expect(sharesOf(placeStage(four, mixed))).toMatch(/No set of workers can run this job/);
    expect(placeStage(four, [...mixed, near("c", 4, on("cuda"))])).toMatchObject({
      device: "cuda",
      slices: [{ worker: { announcement: { id: "b" } } }, { worker: { announcement: { id: "c" } } }],
    });
  });

  describe("on several hosts", () => {
    const four: Need = { ...need, members: 4, mostMembers: 4, hosts: 2 };

    it("shares the ranks evenly, rank 0 where the attempt runs, and all of them or none", () => {
      const workers = [near("a", 4), near("b", 3), near("c", 4)];
      expect(sharesOf(placeStage(four, workers, { holder: "b" }))).toEqual([
        ["b", 2],
        ["a", 2],
      ]);
      const busy = [near("a", 4), near("b", 0), near("c", 0)];
      expect(sharesOf(placeStage(four, busy))).toMatch(/4 free slots on 2 hosts/);
    });

    it("keeps the slots of as many workers as it waits for", () => {
      const placement = placeStage(four, [near("a", 4), near("b", 0), near("c", 0)]);
      expect(placement).toMatchObject({ reserve: [{ announcement: { id: "a" } }, { announcement: { id: "b" } }] });
    });

    it("takes as few hosts as have the slots when the job leaves it open, giving small ones less", () => {
      const auto: Need = { ...need, members: 6, mostMembers: 6 };
      expect(sharesOf(placeStage(auto, [near("a", 2, { slots: 2 }), near("b", 4)]))).toEqual([
        ["b", 4],
        ["a", 2],
      ]);
      expect(sharesOf(placeStage(auto, [near("a", 4), near("b", 4), near("c", 4)]))).toEqual([
        ["a", 3],
        ["b", 3],
      ]);
    });

    it("begins a stage of one rank where the others can begin too", () => {
      const first = { ...four, members: 1 };
      expect(sharesOf(placeStage(first, [worker("a", 4), near("b", 2), near("c", 1)]))).toEqual([["b", 1]]);
    });

    it("does not even begin while the hosts are not there, and says what each lacks", () => {
      const first = { ...four, members: 1 };
      const reason = sharesOf(placeStage(first, [near("a", 4), worker("b", 4)]));
      expect(reason).toMatch(/4 on 2 hosts are needed/);
      expect(reason).toMatch(/b: .*HOPWISE_RANK_ADDRESS/);
    });

    it("joins only hosts that can reach each other and compute the same bits", () => {
      const loopback = (id: string, host: string) => near(id, 4, { rankAddress: `127.0.0.${id.charCodeAt(0)}`, host });
      expect(sharesOf(placeStage(four, [loopback("a", "h"), loopback("b", "h")]))).toEqual([
        ["a", 2],
        ["b", 2],
      ]);
      expect(sharesOf(placeStage(four, [loopback("a", "h"), loopback("b", "i"), near("c", 4)]))).toMatch(/No set/);
      expect(sharesOf(placeStage(four, [near("a", 4, { isa: "x" }), near("b", 4, { isa: "y" })]))).toMatch(/No set/);
    });

    it("after a loss makes do with what is left: fewer hosts, then fewer ranks, down to the job's least", () => {
      const left = [near("a", 4)];
      expect(sharesOf(placeStage(four, left))).toMatch(/No set/);
      const again = { ...four, fewestMembers: 2 };
      expect(sharesOf(placeStage(again, left))).toEqual([["a", 4]]);
      expect(sharesOf(placeStage(again, [near("a", 3, { slots: 3 })]))).toEqual([["a", 3]]);
      expect(sharesOf(placeStage(again, [near("a", 1, { slots: 1 })]))).toMatch(/No set/);
    });
  });
});
