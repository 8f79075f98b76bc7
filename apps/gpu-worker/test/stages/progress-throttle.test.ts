import {
  leadRank,
  type Member,
  memberName,
  type StageEvent,
  type WorkerEventBody,
  workerEventBody,
} from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProgressThrottle } from "../../src/stages/progress-throttle.ts";

const progress = (completed: number, phase = "epoch"): StageEvent => ({
  type: "progress",
  phase,
  completed,
  total: 100,
  unit: "batches",
});
const metrics = (step: number): StageEvent => ({
  type: "metrics",
  axis: "epoch",
  step,
  values: { "train/loss": 1 / step },
});
const log: StageEvent = { type: "log", level: "info", member: leadRank, message: "x" };
const rank = (index: number, step: number): StageEvent => ({
  type: "member",
  member: { kind: "rank", index },
  step,
  device: "cpu",
  seedsPerSecond: null,
  breakdown: null,
  rssBytes: 1,
  localRows: 0,
  remoteRows: 0,
  cachedRows: 0,
});

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function collect() {
  const bodies: WorkerEventBody[] = [];
  return { bodies, throttle: new ProgressThrottle((body) => bodies.push(body)) };
}

/** The steps' own events among what was told, and the points of each telling of metrics. */
const told = (bodies: readonly WorkerEventBody[]) =>
  bodies.flatMap((body): (StageEvent | number[])[] => {
    if (body.type === "step") return [body.event];
    return body.type === "metrics" ? [body.points.map(({ step }) => step)] : [];
  });

test("of quick progress the first goes on at once and the newest a quarter second later", () => {
  const { bodies, throttle } = collect();
  for (const completed of [1, 2, 3]) throttle.push(progress(completed));
  expect(told(bodies)).toEqual([progress(1)]);
  vi.advanceTimersByTime(250);
  expect(told(bodies)).toEqual([progress(1), progress(3)]);
});

test("what is held back goes on before the stage ends", () => {
  const { bodies, throttle } = collect();
  throttle.push(progress(1));
  throttle.push(progress(100));
  throttle.push(metrics(1));
  throttle.push(metrics(2));
  throttle.flush();
  expect(told(bodies)).toEqual([progress(1), [1], [2], progress(100)]);
});

test("phases do not hold each other back", () => {
  const { bodies, throttle } = collect();
  throttle.push(progress(1, "a"));
  throttle.push(progress(1, "b"));
  expect(bodies).toHaveLength(2);
});

test("progress never leads back to a phase that another has followed", () => {
  const { bodies, throttle } = collect();
  for (const phase of ["read", "write", "store"])
    for (const completed of [0, 50, 100]) throttle.push(progress(completed, phase));
  vi.advanceTimersByTime(1000);
  throttle.flush();
  const phases = told(bodies).map((event) => ("phase" in event ? event.phase : ""));
  expect(phases).toEqual(["read", "write", "store", "store"]);
  expect(told(bodies).at(-1)).toEqual(progress(100, "store"));
});

test("logs pass unchanged and at once", () => {
  const { bodies, throttle } = collect();
  for (let i = 0; i < 30; i++) throttle.push(log);
  expect(told(bodies)).toEqual(Array.from({ length: 30 }, () => log));
});

test("20,000 epochs in ten seconds, with progress and two ranks, are at most 50 events a second, and no point is lost", () => {
  const { bodies, throttle } = collect();
  const perSecond: number[] = [];
  for (let second = 0; second < 10; second++) {
    const before = bodies.length;
    for (let i = 0; i < 2000; i++) {
      const epoch = second * 2000 + i + 1;
      throttle.push(metrics(epoch));
      throttle.push({ ...progress(epoch), total: 20_000 } as StageEvent);
      for (const index of [0, 1]) throttle.push(rank(index, epoch));
      if (i % 2 === 1) vi.advanceTimersByTime(1);
    }
    perSecond.push(bodies.length - before);
  }
  throttle.flush();
  expect(Math.max(...perSecond)).toBeLessThanOrEqual(50);
  const points = bodies.flatMap((body) => (body.type === "metrics" ? body.points : []));
  expect(points.map(({ step }) => step)).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  expect(points[6]).toEqual({ at: expect.any(String), step: 7, values: { "train/loss": 1 / 7 } });
  for (const body of bodies) expect(workerEventBody.safeParse(body).success).toBe(true);
});

test("64 ranks that all report share the same bound, in turn", () => {
  const { bodies, throttle } = collect();
  for (let ms = 0; ms < 10_000; ms += 25) {
    for (let index = 0; index < 64; index++) throttle.push(rank(index, ms));
    vi.advanceTimersByTime(25);
  }
  expect(bodies.length).toBeLessThanOrEqual(500);
  const counts = new Map<string, number>();
  for (const { member } of told(bodies) as { member: Member }[]) {
    counts.set(memberName(member), (counts.get(memberName(member)) ?? 0) + 1);
  }
  expect(counts.size).toBe(64);
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(2);
});

test("goes on telling when the clock of the calendar is set back by a year", () => {
  const { bodies, throttle } = collect();
  throttle.push(progress(1));
  vi.setSystemTime(Date.now() - 365 * 86_400_000);
  throttle.push(progress(2));
  throttle.push(metrics(1));
  vi.advanceTimersByTime(250);
  expect(told(bodies)).toEqual([progress(1), [1], progress(2)]);
});
