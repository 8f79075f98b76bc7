import { describe, expect, it } from "vitest";
import { type StageObservation, StageWatch } from "../../src/scheduler/stage-watch.ts";

const graceMs = 5000;
const running: StageObservation = {
  key: "job-1-0",
  state: "RUNNING",
  workerId: "w",
  host: "h",
  attemptBootId: "boot1",
  bootId: "boot1",
  lease: null,
  queue: null,
  drainedAt: Number.POSITIVE_INFINITY,
  heardAt: 0,
};
const queued: StageObservation = { ...running, state: "QUEUED", queue: "waiting" };
const at = (now: number, change = {}) => ({ now, reachableSince: 0, ...change });

describe("a running stage", () => {
  it("is fine while its lease is held", () => {
    const watch = new StageWatch(graceMs);
    for (const now of [0, 4000, 8000, 60_000]) {
      expect(watch.judge({ ...running, lease: "w/boot1" }, at(now))).toEqual({ kind: "fine", bootId: "boot1" });
    }
  });

  it("is lost once nobody has held the lease for longer than the grace", () => {
    const watch = new StageWatch(graceMs);
    expect(watch.judge(running, at(10_000)).kind).toBe("fine");
    expect(watch.judge(running, at(15_000)).kind).toBe("fine");
    expect(watch.judge(running, at(15_001)).kind).toBe("lost");
  });

  it("is given the whole grace again when the lease comes back", () => {
    const watch = new StageWatch(graceMs);
    watch.judge(running, at(0));
    watch.judge({ ...running, lease: "w/boot1" }, at(4000));
    expect(watch.judge(running, at(6000)).kind).toBe("fine");
  });

  it("is not judged by time in which Redis could not be seen", () => {
    const watch = new StageWatch(graceMs);
    watch.judge(running, at(0));
    expect(watch.judge(running, at(9000, { reachableSince: 8000 })).kind).toBe("fine");
    expect(watch.judge(running, at(13_001, { reachableSince: 8000 })).kind).toBe("lost");
  });

  it("is not judged before every event sent until then has been read", () => {
    const watch = new StageWatch(graceMs);
    watch.judge(running, at(1000));
    expect(watch.judge({ ...running, drainedAt: 900 }, at(9000)).kind).toBe("fine");
    expect(watch.judge({ ...running, drainedAt: 8000 }, at(9001)).kind).toBe("lost");
  });

  it("is not lost while its worker, without a lease, still tells what it had kept of it", () => {
    const watch = new StageWatch(graceMs);
    watch.judge(running, at(1000));
    expect(watch.judge({ ...running, heardAt: 8000 }, at(9000)).kind).toBe("fine");
    expect(watch.judge({ ...running, heardAt: 8000 }, at(13_001)).kind).toBe("lost");
  });

  it("is lost at once when its worker announces another boot", () => {
    const reborn = { ...running, bootId: "boot2" };
    expect(new StageWatch(graceMs).judge(reborn, at(0)).kind).toBe("lost");
    expect(new StageWatch(graceMs).judge({ ...reborn, lease: "w/boot1" }, at(0)).kind).toBe("lost");
  });

  it("belongs to the boot that holds its lease", () => {
    const taken = { ...running, bootId: "boot2", lease: "w/boot2" };
    expect(new StageWatch(graceMs).judge(taken, at(0))).toEqual({ kind: "fine", bootId: "boot2" });
  });
});

describe("a queued stage", () => {
  it("may wait for ever in the queue of a worker that is there, whichever boot", () => {
    const watch = new StageWatch(graceMs);
    for (const now of [0, 10_000, 60_000]) {
      expect(watch.judge({ ...queued, bootId: "boot2" }, at(now)).kind).toBe("fine");
    }
  });

  it("is lost when its worker has been silent for longer than the grace", () => {
    const watch = new StageWatch(graceMs);
    const silent = { ...queued, bootId: null };
    expect(watch.judge(silent, at(0)).kind).toBe("fine");
    expect(watch.judge(silent, at(5001)).kind).toBe("lost");
  });

  it("is enqueued once more when the queue has forgotten it, and is lost the second time", () => {
    const watch = new StageWatch(graceMs);
    const gone = { ...queued, queue: "gone" as const };
    expect(watch.judge(gone, at(0)).kind).toBe("fine");
    expect(watch.judge(gone, at(5001)).kind).toBe("enqueue");
    expect(watch.judge(gone, at(5002)).kind).toBe("fine");
    expect(watch.judge(gone, at(10_004)).kind).toBe("lost");
  });
});
