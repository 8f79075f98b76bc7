import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { JobClock } from "../../src/scheduler/job-clock.ts";

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

describe("a job's time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const jobOf = (startedAt: number | null) => ({
    id: "job_a",
    startedAt: startedAt === null ? null : new Date(startedAt),
    spec: { resources: { maxDuration: "PT30M" } },
  });

  it("runs from its start to its maxDuration, and has not begun for a job that waits", () => {
    const clock = new JobClock();
    const job = jobOf(Date.now() - 10 * minute);
    expect(clock.remainingMs(job)).toBe(20 * minute);
    vi.advanceTimersByTime(19 * minute);
    expect(clock.isOverdue(job)).toBe(false);
    vi.advanceTimersByTime(2 * minute);
    expect(clock.isOverdue(job)).toBe(true);
    expect(new JobClock().remainingMs(jobOf(null))).toBe(30 * minute);
  });

  it.each([year, -year])("does not leap with the calendar by %d ms", (leap) => {
    const clock = new JobClock();
    const job = jobOf(Date.now());
    clock.isOverdue(job);
    vi.setSystemTime(Date.now() + leap);
    expect(clock.isOverdue(job)).toBe(false);
    vi.advanceTimersByTime(29 * minute);
    expect(clock.remainingMs(job)).toBe(minute);
    vi.advanceTimersByTime(2 * minute);
    expect(clock.isOverdue(job)).toBe(true);
  });

  it("of one that by the calendar begins in the future begins now", () => {
    const clock = new JobClock();
    expect(clock.remainingMs(jobOf(Date.now() + year))).toBe(30 * minute);
  });

  it("is forgotten with the job", () => {
    const clock = new JobClock();
    const job = jobOf(Date.now());
    clock.isOverdue(job);
    vi.setSystemTime(Date.now() + year);
    clock.retain(new Set(["job_b"]));
    expect(clock.isOverdue(job)).toBe(true);
  });
});
