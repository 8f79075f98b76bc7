import type { WorkerAnnouncement } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import { type Need, placeStage, type WorkerView } from "../../src/scheduler/placement.ts";

function worker(id: string, freeSlots: number, change: Partial<WorkerAnnouncement> = {}): WorkerView {
  const announcement: WorkerAnnouncement = {
    contract: 1,
    id,
    bootId: "b",
    host: id,
    version: "0",
    build: "0",
    pid: 1,
    devices: [],
    slots: 4,
    cores: 4,
    memoryBytes: 0,
    diskFreeBytes: 0,
    isa: "",
    labels: {},
    components: ["step:train@1"],
    draining: false,
    running: [],
    ...change,
  };
  return { announcement, refusal: null, freeSlots };
}

const need: Need = { ranks: 2, mostRanks: 2, device: "auto", labels: {}, components: ["step:train@1"] };
const chosen = (placement: ReturnType<typeof placeStage>) =>
  "worker" in placement ? placement.worker.announcement.id : null;

describe("placeStage", () => {
  it("takes the worker with the most free slots, and the one that has the inputs before it", () => {
    const workers = [worker("a", 2), worker("b", 4), worker("c", 3)];
    expect(chosen(placeStage(need, workers))).toBe("b");
    expect(chosen(placeStage(need, workers, "c"))).toBe("c");
  });

  it("never splits the ranks: too few free slots means waiting, with the worker kept for it", () => {
    const placement = placeStage(need, [worker("a", 1), worker("b", 0)]);
    expect(placement).toMatchObject({ waiting: expect.stringContaining("2 free slots"), reserve: { freeSlots: 1 } });
  });

  it.each([
    ["is too small", { slots: 1 }, {}, "1 slots"],
    ["is draining", { draining: true }, {}, "draining"],
    ["lacks a step", { components: [] }, {}, "step:train@1"],
    ["has another label", {}, { labels: { zone: "b" } }, "zone"],
    ["has no CUDA device", {}, { device: "cuda" as const }, "CUDA"],
  ])("says why when the only worker %s", (_what, announcement, change, reason) => {
    const placement = placeStage({ ...need, ...change }, [worker("a", 4, announcement)]);
    expect(placement).toEqual({ waiting: expect.stringContaining(reason), reserve: null });
  });

  it("says that there is no worker when there is none", () => {
    expect(placeStage(need, [])).toEqual({ waiting: "No worker is online.", reserve: null });
  });

  it("uses CUDA where it is and may", () => {
    const cuda = worker("a", 4, { devices: [{ kind: "cuda", index: 0, name: "x", memoryBytes: 1 }] });
    expect(placeStage(need, [cuda])).toMatchObject({ device: "cuda" });
    expect(placeStage({ ...need, device: "cpu" }, [cuda])).toMatchObject({ device: "cpu" });
  });
});
