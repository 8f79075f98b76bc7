import { expect, test } from "vitest";
import { applyJobEvent, type JobEvent, type JobSnapshot } from "../../src/services/job-state.ts";
import { emptyJob } from "../support/job-fixture.ts";

const at = "2026-11-20T20:00:00.000Z";
const metrics = (cursor: number, step: number, value: number): JobEvent => ({
  __typename: "MetricsRecorded",
  cursor: String(cursor),
  at,
  attempt: 1,
  axis: "epoch",
  step,
  values: [{ name: "train/loss", value }],
});
const log = (cursor: number): JobEvent => ({
  __typename: "LogAppended",
  cursor: String(cursor),
  at,
  attempt: 1,
  logStage: 1,
  level: "info",
  member: "0",
  message: `line ${cursor}`,
  fields: null,
});

test("events up to the snapshot's cursor change nothing, so a replay that overlaps doubles nothing", () => {
  const job: JobSnapshot = { ...emptyJob, cursor: "9" };
  expect([log(8), log(9), metrics(5, 1, 0.9)].reduce(applyJobEvent, job)).toBe(job);
});

test("applying events one by one after a reconnect gives what the undisturbed stream gives", () => {
  const events = [log(1), metrics(2, 1, 0.9), log(3), metrics(4, 2, 0.7), log(5)];
  const undisturbed = events.reduce(applyJobEvent, emptyJob);
  const beforeLoss = events.slice(0, 3).reduce(applyJobEvent, emptyJob);
  const repeated = [...events.slice(1), ...events.slice(2)].reduce(applyJobEvent, beforeLoss);
  expect(repeated).toEqual(undisturbed);
  expect(undisturbed.logs.lines.map((line) => line.cursor)).toEqual(["1", "3", "5"]);
  expect(undisturbed.series).toEqual([
    { name: "train/loss", axis: "epoch", steps: [1, 2], values: [0.9, 0.7], times: [Date.parse(at), Date.parse(at)] },
  ]);
});

test("cursors are compared as numbers: 10 comes after 9", () => {
  const job = [log(9), log(10)].reduce(applyJobEvent, emptyJob);
  expect(job.logs.lines).toHaveLength(2);
  expect(job.cursor).toBe("10");
});

const progress = (cursor: number, state: "RUNNING" | "SUCCEEDED", time: string): JobEvent => ({
  __typename: "StageProgressed",
  cursor: String(cursor),
  at: time,
  attempt: 1,
  stageIndex: 1,
  kind: "train",
  stageState: state,
  cached: false,
  phase: "epoch 1",
  completed: 1,
  total: 2,
  unit: "epochs",
  etaSeconds: null,
  problem: null,
});

test("a stage's start and end take the time of the event that changed its state", () => {
  const events = [
    progress(1, "RUNNING", "2026-11-20T20:00:01.000Z"),
    progress(2, "RUNNING", "2026-11-20T20:00:05.000Z"),
    progress(3, "SUCCEEDED", "2026-11-20T20:00:09.000Z"),
  ];
  const [, stage] = events.reduce(applyJobEvent, emptyJob).stages;
  expect(stage).toMatchObject({
    state: "SUCCEEDED",
    startedAt: "2026-11-20T20:00:01.000Z",
    finishedAt: "2026-11-20T20:00:09.000Z",
  });
});

test("a rank's report changes that rank of that attempt only", () => {
  const update: JobEvent = {
    __typename: "RankUpdated",
    cursor: "1",
    at,
    attempt: 2,
    member: "1",
    device: "cpu",
    step: 40,
    seedsPerSecond: 1000,
    rssBytes: 5,
    localRows: 1,
    remoteRows: 2,
    cachedRows: 0,
    breakdown: { sample: 1, gather: 1, forward: 1, backward: 1, allReduce: 1, optimizer: 1, wait: 1 },
  };
  const ranks = applyJobEvent(emptyJob, update).ranks;
  expect(ranks.map((rank) => [rank.attempt, rank.name, rank.step])).toEqual([
    [2, "0", 0],
    [2, "1", 40],
    [1, "1", 0],
  ]);

  const inferring: JobEvent = { ...update, cursor: "2", step: 0, seedsPerSecond: null, breakdown: null, rssBytes: 9 };
  const [, after] = applyJobEvent(applyJobEvent(emptyJob, update), inferring).ranks;
  expect(after, "training's figures outlive inference").toMatchObject({ step: 40, seedsPerSecond: 1000, rssBytes: 9 });
});

test("a day of events leaves a page as large as an hour of them, with the newest of each in it", () => {
  // 24 hours at an epoch each four seconds: metrics, progress, a report of each rank, two lines; an incident a minute.
  const ranks = emptyJob.ranks.slice(0, 2);
  const start: JobSnapshot = { ...emptyJob, state: "RUNNING", ranks };
  const report = (cursor: number, rank: (typeof ranks)[number], step: number): JobEvent => ({
    __typename: "RankUpdated",
    cursor: String(cursor),
    at,
    attempt: rank.attempt,
    member: rank.name,
    device: "cpu",
    step,
    seedsPerSecond: step,
    rssBytes: 1e9,
    localRows: step,
    remoteRows: step,
    cachedRows: 0,
    breakdown: { sample: 1, gather: 1, forward: 1, backward: 1, allReduce: 1, optimizer: 1, wait: 1 },
  });
  const epochs = 24 * 900;
  const sizes: number[] = [];
  let cursor = 0;
  let job = start;
  const apply = (event: (cursor: number) => JobEvent) => {
    cursor += 1;
    job = applyJobEvent(job, event(cursor));
  };
  for (let epoch = 1; epoch <= epochs; epoch++) {
    apply((next) => metrics(next, epoch, 1 / epoch));
    for (const rank of ranks) apply((next) => report(next, rank, epoch));
    apply(log);
    if (epoch % 15 === 0) {
      apply((next) => ({
        __typename: "IncidentRaised",
        cursor: String(next),
        at,
        attempt: 1,
        code: "RANK_LOST",
        message: "A rank was lost.",
        incidentMember: null,
        host: null,
      }));
    }
    if (epoch % 900 === 0) sizes.push(JSON.stringify(job).length);
  }
  expect(cursor).toBeGreaterThan(80_000);
  const largest = Math.max(...sizes);
  // Lines of the log, points of a curve and, last, incidents are bounded: after 17 hours nothing grows.
  expect(largest).toBeLessThan(1.05 * Math.max(...sizes.slice(0, 17)));
  expect(largest).toBeLessThan(2_000_000);
  expect(job.series[0]?.steps.length).toBeLessThanOrEqual(4000);
  expect(job.series[0]?.steps.at(-1)).toBe(epochs);
  expect(job.ranks.map(({ step }) => step)).toEqual([epochs, epochs]);
  expect(job.logs.lines.length).toBeLessThanOrEqual(5000);
});
