import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PacedRefresh } from "../../src/services/paced-refresh.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function paced() {
  const asked: number[] = [];
  const pace = new PacedRefresh({ refresh: () => asked.push(performance.now()), everyMs: 1000 });
  const startedAt = performance.now();
  return { pace, times: () => asked.map((at) => at - startedAt) };
}

test("a list that is told of its changes is asked for when one comes, and never otherwise", () => {
  const { pace, times } = paced();
  pace.setLive(true);
  vi.advanceTimersByTime(24 * 3600 * 1000);
  expect(times()).toEqual([]);
  pace.tell();
  vi.advanceTimersByTime(24 * 3600 * 1000);
  expect(times()).toEqual([24 * 3600 * 1000]);
});

test("changes that follow each other are asked for together, the last of them too", () => {
  const { pace, times } = paced();
  pace.setLive(true);
  for (let i = 0; i < 5; i++) {
    pace.tell();
    vi.advanceTimersByTime(100);
  }
  vi.advanceTimersByTime(10_000);
  expect(times()).toEqual([0, 1000]);
});

test("a change during an answer that is on its way is asked for after it: the answer may be older", () => {
  const { pace, times } = paced();
  pace.setLive(true);
  pace.setBusy(true);
  pace.tell();
  vi.advanceTimersByTime(5000);
  expect(times()).toEqual([]);
  pace.setBusy(false);
  expect(times()).toEqual([5000]);
});

test("nothing is asked for while nobody looks; what came meanwhile is, once somebody does", () => {
  const { pace, times } = paced();
  pace.setLive(true);
  pace.setSeen(false);
  pace.tell();
  vi.advanceTimersByTime(5000);
  pace.setSeen(true);
  pace.setSeen(false);
  pace.setSeen(true);
  expect(times()).toEqual([5000]);
});

test("without a connection it asks by the clock, and stops when told to", () => {
  const { pace, times } = paced();
  vi.advanceTimersByTime(2000);
  pace.setLive(true);
  vi.advanceTimersByTime(5000);
  pace.setLive(false);
  vi.advanceTimersByTime(1000);
  expect(times()).toEqual([1000, 2000, 8000]);
  pace.stop();
  vi.advanceTimersByTime(5000);
  expect(times()).toHaveLength(3);
});
