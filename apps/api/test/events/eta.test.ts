import { describe, expect, it } from "vitest";
import { EtaEstimator } from "../../src/events/eta.ts";

const second = 1000;
const year = 365 * 86_400 * second;

describe("the time that a phase still takes", () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);

  it("is that of the rest at the speed so far", () => {
    const eta = new EtaEstimator();
    expect(eta.estimate("a", "epoch", 0, 100, at(0))).toBeNull();
    expect(eta.estimate("a", "epoch", 25, 100, at(5 * second))).toBe(15);
  });

  it.each([year, -year])("is estimated anew when the worker's clock is set by %d ms", (leap) => {
    const eta = new EtaEstimator();
    eta.estimate("a", "epoch", 0, 100, at(0));
    expect(eta.estimate("a", "epoch", 25, 100, at(leap + 5 * second))).toBeNull();
    expect(eta.estimate("a", "epoch", 50, 100, at(leap + 10 * second))).toBe(10);
  });
});
