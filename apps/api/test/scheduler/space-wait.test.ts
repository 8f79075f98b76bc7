import { problemOf } from "@hopwise/contracts";
import { expect, it } from "vitest";
import type { ActiveJob } from "../../src/job-state/active-jobs.ts";
import { SpaceWait } from "../../src/scheduler/space-wait.ts";

/** A job whose last attempt, the `number`th, ended so. */
function jobAfter(number: number, code: "STORAGE_FULL" | "RANK_LOST"): Pick<ActiveJob, "attempts"> {
  const problem = problemOf(code, "");
  return { attempts: [{ id: `attempt_${number}`, number, problem } as unknown as ActiveJob["attempts"][number]] };
}

it("holds a job that found a disk full, longer with each attempt and never over five minutes", () => {
  const wait = new SpaceWait();
  for (const [number, seconds] of [
    [1, 10],
    [2, 20],
    [3, 40],
    [50, 300],
  ] as const) {
    expect(wait.holds(jobAfter(number, "STORAGE_FULL"), 0)).toBe(true);
    expect(wait.holds(jobAfter(number, "STORAGE_FULL"), seconds * 1000 - 1)).toBe(true);
    expect(wait.holds(jobAfter(number, "STORAGE_FULL"), seconds * 1000)).toBe(false);
  }
});

it("holds no other job, and begins anew with each attempt", () => {
  const wait = new SpaceWait();
  expect(wait.holds(jobAfter(1, "RANK_LOST"), 0)).toBe(false);
  wait.holds(jobAfter(1, "STORAGE_FULL"), 0);
  wait.retain([jobAfter(2, "STORAGE_FULL")]);
  expect(wait.holds(jobAfter(1, "STORAGE_FULL"), 20_000)).toBe(true);
});
