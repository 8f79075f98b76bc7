import { expect, test } from "vitest";
import type { JobSnapshot } from "../../src/services/job-state.ts";
import { stateLine, tabMark } from "../../src/services/state-line.ts";
import { tabIcon } from "../../src/services/tab-icon.ts";
import { secondsLeft, shareDone } from "../../src/services/time-left.ts";
import { emptyJob } from "../support/job-fixture.ts";

const start = Date.parse("2026-11-20T20:00:00.000Z");
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const now = (seconds: number) => start + seconds * 1000;
const estimate = {
  seconds: 110,
  explanation: [
    { of: "time", amount: 50 },
    { of: "stageTime", amount: 5 },
    { of: "memory", amount: 1e9 },
  ],
};
type Stage = JobSnapshot["stages"][number];

/** Partition took 10 s, training has run since. */
function training(change: Partial<Stage> = {}, further: readonly Partial<Stage>[] = []): JobSnapshot {
  const [partition, train] = emptyJob.stages as [Stage, Stage];
  const done = { ...partition, state: "SUCCEEDED", startedAt: at(0), finishedAt: at(10) } as const;
  const running = { ...train, state: "RUNNING", startedAt: at(10), ...change } as const;
  const later = further.map((stage, i) => ({ ...train, index: 2 + i, kind: "infer", ...stage }));
  return { ...emptyJob, state: "RUNNING", startedAt: at(0), stages: [done, running, ...later], estimate };
}

const epochs = { phase: "epoch 12", completed: 12, total: 50, unit: "epochs", etaSeconds: 180 };

test("a job that trains says which epoch it is at and when the whole of it will be done", () => {
  expect(stateLine(training(epochs), now(60))).toBe("Training, epoch 12 of 50, about 3 min 0 s left");
  expect(stateLine(training(epochs, [{}]), now(60))).toBe("Training, epoch 12 of 50, about 3 min 5 s left");
});

test("before a stage knows its speed, its time left is what was estimated, scaled as the estimate's total", () => {
  // 110 s estimated for 55 by the formula: training takes 100 s, and the one other stage 10.
  expect(secondsLeft(training(), now(40))).toBeCloseTo(70);
  expect(secondsLeft(training(), now(500))).toBe(0);
});

test("before the first epoch it says what it prepares", () => {
  const fetching = { phase: "fetch inputs", completed: 1, total: 1, unit: "artifacts" };
  expect(stateLine(training(fetching), now(11))).toMatch(/^Training, fetch inputs, about/);
});

test("without an estimate no time is promised while stages are to come", () => {
  expect(secondsLeft({ ...training(epochs, [{}]), estimate: null }, now(60))).toBeNull();
  expect(stateLine({ ...training(epochs, [{}]), estimate: null }, now(60))).toBe("Training, epoch 12 of 50");
});

test("the share that is done is of the time; where no time is known, of the stages", () => {
  expect(shareDone(training({ etaSeconds: 40 }), now(50))).toBeCloseTo(50 / 90);
  const half = { ...training({ completed: 5, total: 10 }), estimate: null };
  expect(shareDone(half, now(50))).toBeCloseTo(0.75);
});

test("one that waits says for how long, and what for", () => {
  expect(stateLine(emptyJob, now(90))).toBe("Waiting for a worker for 1 min 30 s");
  const between = { ...training({ state: "PENDING", startedAt: null }) };
  expect(stateLine(between, now(20))).toBe("Between two stages: waiting for a worker");
  expect(stateLine({ ...training({ state: "QUEUED", startedAt: null }) }, now(20))).toBe(
    "A worker is about to begin train",
  );
});

test("one that has ended says how, after what time and how long ago", () => {
  const ended = { ...training({ state: "FAILED" }), finishedAt: at(70) };
  const problem = { title: "The job ran longer than its maxDuration" } as JobSnapshot["problem"];
  expect(stateLine({ ...ended, state: "FAILED", problem }, now(100))).toBe(
    "Failed in train after 1 min 10 s: the job ran longer than its maxDuration",
  );
  expect(stateLine({ ...ended, state: "SUCCEEDED" }, now(70 + 600))).toBe("Finished in 1 min 10 s, 10 min ago");
  expect(stateLine({ ...emptyJob, state: "CANCELLED", finishedAt: at(5) }, now(6))).toBe(
    "Cancelled before it started, just now",
  );
});

test("the browser's tab has the share in per cent, or how the job ended", () => {
  expect(tabMark(training({ etaSeconds: 40 }), now(50))).toBe("55 %");
  expect(tabMark({ ...emptyJob, state: "SUCCEEDED" }, now(0))).toBe("✓");
  expect(tabMark({ ...emptyJob, state: "FAILED" }, now(0))).toBe("✗");
  expect(tabMark(emptyJob, now(0))).toBe("");
});

test("the icon of the tab is another one for each way to end and each twentieth of the way", () => {
  const icons = [
    tabIcon("SUCCEEDED", 1),
    tabIcon("FAILED", 0.5),
    tabIcon("QUEUED", 0),
    tabIcon("RUNNING", 0.1),
    tabIcon("RUNNING", 0.2),
  ];
  expect(new Set(icons).size).toBe(icons.length);
  expect(tabIcon("RUNNING", 0.201)).toBe(tabIcon("RUNNING", 0.2));
  expect(decodeURIComponent(icons[0] ?? "")).toMatch(/^data:image\/svg\+xml,<svg .*<\/svg>$/);
});
