import { problemOf } from "@hopwise/contracts";
import { describe, expect, it } from "vitest";
import type { JobRun } from "../../src/job-state/job-run.ts";
import { exceedTimeLimit, requestCancel, stageCancelled } from "../../src/job-state/transitions/cancel-transitions.ts";
import { attemptLost, stageFailed } from "../../src/job-state/transitions/failure-transitions.ts";
import {
  queueStage,
  reuseArtifact,
  stageStarted,
  stageSucceeded,
  startAttempt,
} from "../../src/job-state/transitions/stage-transitions.ts";
import { grantOf, place, queuedRun } from "../scheduler/support/job-run.ts";

const at = new Date("2026-01-01T00:00:01Z");
const lost = problemOf("WORKER_LOST", "gone");
const diverged = problemOf("TRAIN_DIVERGED", "NaN at step 3");

function stageOf(run: JobRun, index: number) {
  const stage = run.stages[index];
  if (!stage) throw new Error(`There is no stage ${index}.`);
  return stage;
}

/** Grants and starts a stage, in a new attempt when the job has none that runs. */
function begin(run: JobRun, index: number): void {
  if (run.attempt?.state !== "RUNNING") startAttempt(run, place, at);
  queueStage(run, stageOf(run, index), grantOf(1), at);
  stageStarted(run, stageOf(run, index), 0, at);
  run.advanceSeq({ attempt: run.job.attempt, stageIndex: index, slice: 0 }, 1);
}

const made = (id: string) => ({
  id,
  kind: "k",
  prefix: id,
  reuseKey: null,
  digest: "d",
  bytes: 1,
  info: {},
  blobs: [],
});
const states = (run: JobRun) => [run.job.state, ...run.stages.map(({ state }) => state)];

describe("a job", () => {
  it("succeeds with its last stage", () => {
    const run = queuedRun();
    begin(run, 0);
    stageSucceeded(run, stageOf(run, 0), made("a"), at);
    expect(states(run)).toEqual(["RUNNING", "SUCCEEDED", "PENDING"]);
    begin(run, 1);
    stageSucceeded(run, stageOf(run, 1), made("b"), at);
    expect(states(run)).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
    expect(run.attempt?.state).toBe("SUCCEEDED");
    expect(run.events.at(-1)).toMatchObject({ type: "JobStateChanged", body: { state: "SUCCEEDED" } });
  });

  it("passes over a stage whose artifact is there", () => {
    const run = queuedRun();
    reuseArtifact(run, stageOf(run, 0), "art", "key", at);
    expect(run.nextStage?.index).toBe(1);
    expect(stageOf(run, 0)).toMatchObject({ state: "SUCCEEDED", cached: true, outputId: "art" });
  });

  it("fails with the problem of a stage that would fail again", () => {
    const run = queuedRun();
    begin(run, 0);
    stageFailed(run, stageOf(run, 0), diverged, at, 5);
    expect(states(run)).toEqual(["FAILED", "FAILED", "PENDING"]);
    expect(run.job.problem).toMatchObject({ code: "TRAIN_DIVERGED" });
  });

  it("waits for room on a disk in as many attempts as it takes, and they count for nothing", () => {
    const run = queuedRun();
    const full = problemOf("STORAGE_FULL", "There is no space left for the files of the service.");
    for (let attempt = 1; attempt <= 20; attempt++) {
      begin(run, 0);
      stageFailed(run, stageOf(run, 0), full, at, 5);
      expect(run.job).toMatchObject({ state: "RUNNING", waitReason: full.detail });
    }
    for (let attempt = 1; attempt <= 4; attempt++) {
      begin(run, 0);
      attemptLost(run, stageOf(run, 0), lost, at, 5);
    }
    expect(run.job.state).toBe("RUNNING");
    begin(run, 0);
    attemptLost(run, stageOf(run, 0), lost, at, 5);
    expect(run.job).toMatchObject({ state: "FAILED", problem: { code: "JOB_ATTEMPTS_EXHAUSTED" } });
  });

  it("tries a lost stage again under the next fencing token and says so", () => {
    const run = queuedRun();
    begin(run, 0);
    attemptLost(run, stageOf(run, 0), lost, at, 5);
    expect(states(run)).toEqual(["RUNNING", "PENDING", "PENDING"]);
    expect(run.events.some(({ type }) => type === "IncidentRaised")).toBe(true);
    begin(run, 0);
    expect(run.job.attempt).toBe(2);
    expect(run.attempt?.reason).toBe("WORKER_LOST");
  });

  it("is given up after five attempts in a row that stored nothing: 1 + 4", () => {
    const run = queuedRun();
    for (let attempt = 1; attempt <= 4; attempt++) {
      begin(run, 0);
      attemptLost(run, stageOf(run, 0), lost, at, 5);
      expect(run.job.state).toBe("RUNNING");
    }
    begin(run, 0);
    attemptLost(run, stageOf(run, 0), lost, at, 5);
    expect(run.job).toMatchObject({ state: "FAILED", attempt: 5, problem: { code: "JOB_ATTEMPTS_EXHAUSTED" } });
  });

  it("goes on as long as its attempts make progress", () => {
    const run = queuedRun();
    for (let attempt = 1; attempt <= 12; attempt++) {
      begin(run, 0);
      run.lastFruitfulAttempt = run.job.attempt; // a checkpoint
      attemptLost(run, stageOf(run, 0), lost, at, 5);
    }
    expect(run.job.state).toBe("RUNNING");
  });

  it("does not count attempts that never began", () => {
    const run = queuedRun();
    for (let attempt = 1; attempt <= 8; attempt++) {
      startAttempt(run, place, at);
      queueStage(run, stageOf(run, 0), grantOf(1), at);
      attemptLost(run, stageOf(run, 0), lost, at, 5);
    }
    expect(run.job.state).toBe("RUNNING");
  });
});

describe("cancelling", () => {
  it("ends a waiting job at once", () => {
    const run = queuedRun();
    requestCancel(run, at);
    expect(run.job.state).toBe("CANCELLED");
  });

  it("waits for the worker of a running one", () => {
    const run = queuedRun();
    begin(run, 0);
    requestCancel(run, at);
    expect(run.job).toMatchObject({ state: "CANCELLING", desired: "CANCEL" });
    stageCancelled(run, stageOf(run, 0), at);
    expect(states(run)).toEqual(["CANCELLED", "CANCELLED", "PENDING"]);
    expect(run.attempt?.state).toBe("CANCELLED");
  });

  it.each([
    ["the worker is lost", (run: JobRun) => attemptLost(run, stageOf(run, 0), lost, at, 5)],
    ["the stage fails", (run: JobRun) => stageFailed(run, stageOf(run, 0), diverged, at, 5)],
    ["the stage succeeds first", (run: JobRun) => stageSucceeded(run, stageOf(run, 0), made("a"), at)],
  ])("ends CANCELLED although %s", (_what, end) => {
    const run = queuedRun();
    begin(run, 0);
    requestCancel(run, at);
    end(run);
    expect(run.job.state).toBe("CANCELLED");
  });

  it("by the time limit ends FAILED, with the limit as its problem", () => {
    const run = queuedRun();
    begin(run, 0);
    exceedTimeLimit(run, "PT1M", at);
    expect(run.job.state).toBe("CANCELLING");
    stageCancelled(run, stageOf(run, 0), at);
    expect(run.job).toMatchObject({ state: "FAILED", problem: { code: "JOB_TIME_LIMIT" } });
  });
});
