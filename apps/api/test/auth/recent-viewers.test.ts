import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RecentViewers } from "../../src/auth/recent-viewers.ts";
import type { Viewer } from "../../src/auth/viewer.ts";

const viewer: Viewer = { userId: "u", name: "u", role: "VIEWER", projectId: null, via: "key" };

/** Node 20 has no Promise.withResolvers. */
function lookUnderWay() {
  let resolve: (found: Viewer) => void = () => {};
  const promise = new Promise<Viewer>((done) => {
    resolve = done;
  });
  return { promise, resolve: (found: Viewer) => resolve(found) };
}

describe("who was found of late", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  it("is known for 0.2 seconds from when the look began, however long it took", async () => {
    const recent = new RecentViewers();
    const look = lookUnderWay();
    void recent.keep("a", look.promise);
    vi.advanceTimersByTime(150);
    const shared = recent.find("a"); // joins what is under way
    look.resolve(viewer);
    expect(await shared).toBe(viewer);
    vi.advanceTimersByTime(50);
    expect(await recent.find("a")).toBe(viewer);
    vi.advanceTimersByTime(1);
    expect(await recent.find("a")).toBeNull();
  });

  it("is not prolonged by asking", async () => {
    const recent = new RecentViewers();
    await recent.keep("a", Promise.resolve(viewer));
    for (let asked = 0; asked < 4; asked++) {
      vi.advanceTimersByTime(50);
      expect(await recent.find("a")).toBe(viewer);
    }
    vi.advanceTimersByTime(50);
    expect(await recent.find("a")).toBeNull();
  });

  it("is forgotten with all that is under way", async () => {
    const recent = new RecentViewers();
    const look = lookUnderWay();
    void recent.keep("a", look.promise);
    recent.forgetAll();
    look.resolve(viewer);
    await look.promise;
    expect(await recent.find("a")).toBeNull();
  });

  it("is nobody else, and nobody who was refused", async () => {
    const recent = new RecentViewers();
    await recent.keep("a", Promise.resolve(viewer));
    expect(await recent.find("b")).toBeNull();
    const refused = recent.keep("b", Promise.reject(new Error("revoked")));
    expect(await recent.find("b")).toBeNull();
    await expect(refused).rejects.toThrow("revoked");
    await recent.keep("b", Promise.resolve(viewer));
    expect(await recent.find("b")).toBe(viewer);
  });

  it("is at most ten thousand, the youngest of them", async () => {
    const recent = new RecentViewers();
    for (let n = 0; n <= 10_000; n++) void recent.keep(String(n), Promise.resolve(viewer));
    expect(await recent.find("0")).toBeNull();
    expect(await recent.find("1")).toBe(viewer);
    expect(await recent.find("10000")).toBe(viewer);
  });
});
