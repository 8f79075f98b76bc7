import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FinishedJob, scaleTime } from "../../src/estimate/index.ts";

const job = (overheadSeconds: number, workSeconds: number, seconds: number): FinishedJob => ({
  overheadSeconds,
  workSeconds,
  seconds,
});
const large = { overheadSeconds: 2, workSeconds: 180 };
const scaled = (jobs: readonly FinishedJob[], { overheadSeconds, workSeconds } = large) => {
  const { overhead, work } = scaleTime(jobs, { overheadSeconds, workSeconds });
  return overheadSeconds * overhead + workSeconds * work;
};

describe("what finished jobs say of the next one's time", () => {
  it("is nothing without any: the formula stands", () => {
    expect(scaleTime([], large)).toEqual({ overhead: 1, work: 1, numJobs: 0 });
  });

  it("is little of the work of a large job when only toys have run, whose time is start", () => {
    const toys = Array.from({ length: 5 }, () => job(1.8, 0.0001, 3));
    expect(scaleTime(toys, large).work).toBeCloseTo(1, 3);
    expect(scaleTime(toys, large).overhead).toBeGreaterThan(1.3);
    expect(scaled(toys)).toBeGreaterThan(182 / 1.1);
    expect(scaled(toys)).toBeLessThan(182 * 1.1);
  });

  it("is what jobs of that size took, on a machine three times slower", () => {
    const jobs = [job(2, 100, 306), job(2, 200, 606), job(3, 150, 459)];
    expect(scaleTime(jobs, large).work).toBeCloseTo(3, 1);
  });

  it("is not moved by a job that ran beside other work, or was stopped soon", () => {
    const jobs = [job(2, 100, 102), job(2, 200, 202), job(2, 150, 15_000), job(2, 150, 0.2)];
    expect(scaled(jobs)).toBeGreaterThan(182 / 1.5);
    expect(scaled(jobs)).toBeLessThan(182 * 1.5);
  });

  it("stays between the formula and what the jobs say, whatever the history", () => {
    const history = fc.array(
      fc.record({
        overheadSeconds: fc.double({ min: 0.1, max: 100, noNaN: true }),
        workSeconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
        seconds: fc.double({ min: 0.01, max: 1e6, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(history, (jobs) => {
        const factors = [
          1,
          ...jobs.map(({ overheadSeconds, workSeconds, seconds }) => seconds / (overheadSeconds + workSeconds)),
        ];
        const { overhead, work } = scaleTime(jobs, large);
        for (const factor of [overhead, work]) {
          expect(factor).toBeGreaterThanOrEqual(Math.min(...factors) * (1 - 1e-9));
          expect(factor).toBeLessThanOrEqual(Math.max(...factors) * (1 + 1e-9));
        }
      }),
    );
  });

  it("leaves out what took no time, or was never estimated", () => {
    expect(scaleTime([job(0, 0, 5), job(1, 1, 0)], large).numJobs).toBe(0);
  });
});
