import type { StepEvent } from "@hopwise/gnn-core/spec";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProgressThrottle } from "../src/progress-throttle.ts";

const progress = (completed: number, phase = "epoch"): StepEvent => ({
  type: "progress",
  phase,
  completed,
  total: 100,
  unit: "batches",
});
const metrics: StepEvent = { type: "metrics", axis: "epoch", step: 1, values: { "train/loss": 1 } };

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function collect() {
  const events: StepEvent[] = [];
  return { events, throttle: new ProgressThrottle((event) => events.push(event)) };
}

test("of quick progress the first goes on at once and the newest a quarter second later", () => {
  const { events, throttle } = collect();
  for (const completed of [1, 2, 3]) throttle.push(progress(completed));
  expect(events).toEqual([progress(1)]);
  vi.advanceTimersByTime(250);
  expect(events).toEqual([progress(1), progress(3)]);
});

test("the end of a phase is never held back", () => {
  const { events, throttle } = collect();
  throttle.push(progress(1));
  throttle.push(progress(100));
  expect(events).toEqual([progress(1), progress(100)]);
});

test("metrics pass unchanged, after the progress that came before them", () => {
  const { events, throttle } = collect();
  throttle.push(progress(1));
  throttle.push(progress(2));
  throttle.push(metrics);
  expect(events).toEqual([progress(1), progress(2), metrics]);
});

test("phases do not hold each other back", () => {
  const { events, throttle } = collect();
  throttle.push(progress(1, "a"));
  throttle.push(progress(1, "b"));
  expect(events).toHaveLength(2);
});
