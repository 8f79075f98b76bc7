import {
  leadRank,
  memberName,
  problemOf,
  type WorkerEvent,
  type WorkerEventBody,
  workerEvent,
} from "@hopwise/contracts";
import { beforeEach, describe, expect, it } from "vitest";
import { applyWorkerEvent, judgeEvent } from "../../src/events/apply-worker-event.ts";
import { EtaEstimator } from "../../src/events/eta.ts";
import type { JobRun } from "../../src/job-state/job-run.ts";
import { outputPlace } from "../../src/job-state/stage-output.ts";
import { grantedSlices } from "../../src/job-state/stage-slices.ts";
import { requestCancel } from "../../src/job-state/transitions/cancel-transitions.ts";
import { queueStage, startAttempt } from "../../src/job-state/transitions/stage-transitions.ts";
import { grantOf, place, queuedRun } from "../scheduler/support/job-run.ts";

const options = { eta: new EtaEstimator(), maxAttempts: 5, runsOnAllRanks: (step: string) => step === "train" };
let run: JobRun;

function event(seq: number, body: WorkerEventBody, attempt = 1, slice = 0): WorkerEvent {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString();
  return workerEvent.parse({ contract: 1, jobId: "job_1", attempt, stageIndex: 0, slice, seq, at, body });
}

const started: WorkerEventBody = {
  type: "stageStarted",
  workerId: "w",
  host: "h",
  pids: [7, 8],
};
const log = (message: string): WorkerEventBody => ({
  type: "step",
  event: { type: "log", level: "info", member: leadRank, message },
});
const progress = (completed: number): WorkerEventBody => ({
  type: "step",
  event: { type: "progress", phase: "train", completed, total: 10, unit: "epochs" },
});
const apply = (seq: number, body: WorkerEventBody) => applyWorkerEvent(run, event(seq, body), options);

beforeEach(() => {
  run = trainingRun();
});

/** A job whose only stage has been queued. */
function trainingRun(): JobRun {
  const queued = queuedRun(["train"]);
  startAttempt(queued, place, new Date());
  const [stage] = queued.stages;
  if (stage) queueStage(queued, stage, grantOf(2, 2), new Date());
  return queued;
}

describe("judgeEvent", () => {
  it("applies 1, 2, 3 … and nothing out of order", () => {
    expect(judgeEvent(run, event(2, started))).toBe("gap");
    expect(judgeEvent(run, event(1, started))).toBe("apply");
    apply(1, started);
    expect(judgeEvent(run, event(1, started))).toBe("repeat");
    expect(judgeEvent(run, event(2, log("a")))).toBe("apply");
    expect(judgeEvent(run, event(3, log("b")))).toBe("gap");
  });

  it("fences off attempts below the job's", () => {
    run.changeJob({ attempt: 2 });
    expect(judgeEvent(run, event(1, started, 1))).toBe("fenced");
  });

  it("lets an end alone go ahead of others, and that of a job alone that is to stop", () => {
    apply(1, started);
    expect(judgeEvent(run, event(9, { type: "stageCancelled" }), true)).toBe("gap");
    requestCancel(run, new Date());
    expect(judgeEvent(run, event(9, { type: "stageCancelled" }), true)).toBe("apply");
    expect(judgeEvent(run, event(9, { type: "stageCancelled" }))).toBe("gap");
    expect(judgeEvent(run, event(9, log("x")), true)).toBe("gap");
  });
});

describe("applyWorkerEvent", () => {
  it("names the ranks of a step that runs on all of them", () => {
    apply(1, started);
    expect([...run.members.values()]).toMatchObject([
      { member: leadRank, pid: 7, state: "STARTING" },
      { member: { kind: "rank", index: 1 }, pid: 8, state: "STARTING" },
    ]);
  });

  it("takes the members of a slice from its grant: ranks first, sampler processes by numbers of their own", () => {
    const each = { bootId: "b", members: 2, devices: null };
    const places = [0, 1].map((i) => ({ ...each, workerId: `w${i}`, host: `h${i}` }));
    run = queuedRun(["train"]);
    startAttempt(run, place, new Date());
    queueStage(run, run.stages[0]!, { reuseKey: "key", ranks: 1, slices: grantedSlices(places, 1) }, new Date());
    applyWorkerEvent(run, event(1, { ...started, pids: [1, 2, 3, 4, 5] }, 1, 0), options);
    applyWorkerEvent(run, event(1, { ...started, host: "h1" }, 1, 1), options);
    const known = [...run.members.values()].map(({ member, localRank, host, pid }) => [
      memberName(member),
      localRank,
      host,
      pid,
    ]);
    expect(known).toEqual([
      ["0", 0, "h", 1],
      ["sampler 0", 1, "h", 2],
      ["sampler 1", 0, "h1", 7],
      ["sampler 2", 1, "h1", 8],
    ]);
  });

  it("predicts the end from the speed so far: 2 epochs in 2 s leave 6 s for 6 more", () => {
    apply(1, started);
    apply(2, progress(2));
    apply(3, progress(3));
    apply(4, progress(4));
    expect(run.stages[0]).toMatchObject({ completed: 4n, total: 10n, etaSeconds: 6 });
  });

  it("keeps the later of two values of a metric", () => {
    apply(1, started);
    const metrics = (value: number): WorkerEventBody => ({
      type: "step",
      event: { type: "metrics", axis: "epoch", step: 1, values: { "train/loss": value } },
    });
    apply(2, metrics(1));
    apply(3, metrics(0.5));
    expect([...run.metrics.values()]).toMatchObject([{ name: "train/loss", step: 1, value: 0.5 }]);
  });

  it("records every point of metrics that were told together, each at its own time", () => {
    apply(1, started);
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 1, 0, second)).toISOString();
    const points = [1, 2, 3].map((step) => ({ at: at(step), step, values: { loss: 1 / step, accuracy: null } }));
    apply(2, { type: "metrics", axis: "epoch", points });
    expect([...run.metrics.values()].map(({ name, step, value, at }) => [name, step, value, at.toISOString()])).toEqual(
      points.flatMap(({ at, step }) => [
        ["loss", step, 1 / step, at],
        ["accuracy", step, null, at],
      ]),
    );
    const told = run.events.filter(({ type }) => type === "MetricsRecorded");
    expect(told.map(({ body }) => (body as { step: number }).step)).toEqual([1, 2, 3]);
  });

  it("ends a job that is to stop by an end ahead of other events, and says how many it left out", () => {
    apply(1, started);
    requestCancel(run, new Date());
    apply(8, { type: "stageCancelled" });
    expect(run.job.state).toBe("CANCELLED");
    expect(run.events.find(({ type }) => type === "LogAppended")?.body).toMatchObject({
      level: "warn",
      message: expect.stringMatching(/^6 events of this stage were left out/),
    });
  });

  it("counts but does not follow what is told of a stage that has ended", () => {
    apply(1, started);
    apply(2, { type: "stageCancelled" });
    const { length } = run.events;
    apply(3, log("late"));
    expect(run.events).toHaveLength(length);
    expect(run.persistedSeq({ attempt: 1, stageIndex: 0, slice: 0 })).toBe(3);
  });

  describe("of a stage that begins again", () => {
    const missed = (detail: string): WorkerEventBody => ({
      type: "stageFailed",
      problem: problemOf("RANK_LOST", detail),
      isConsequence: true,
    });
    const incidents = () => run.events.flatMap(({ type, body }) => (type === "IncidentRaised" ? [body] : []));

    it("tells what the ranks missed when no host knows more: their connections were cut", () => {
      run = queuedRun(["train"]);
      startAttempt(run, place, new Date());
      queueStage(run, run.stages[0]!, grantOf(2), new Date());
      for (const [slice, detail] of ["rank 0 misses rank 1", "rank 1 misses rank 0"].entries()) {
        expect(incidents()).toEqual([]);
        applyWorkerEvent(run, event(1, missed(detail), 1, slice), options);
      }
      expect(run.stages[0]).toMatchObject({ state: "PENDING" });
      expect(incidents()).toEqual([{ code: "RANK_LOST", message: "rank 0 misses rank 1", member: null, host: "h" }]);
    });

    it("names the host that was shut down before those that missed its ranks", () => {
      run = queuedRun(["train"]);
      startAttempt(run, place, new Date());
      queueStage(run, run.stages[0]!, grantOf(2), new Date());
      applyWorkerEvent(run, event(1, missed("rank 0 misses rank 1"), 1, 0), options);
      const problem = problemOf("WORKER_LOST", "h1 was shut down");
      applyWorkerEvent(run, event(1, { type: "stageFailed", problem, isConsequence: true }, 1, 1), options);
      expect(incidents()).toEqual([{ code: "WORKER_LOST", message: "h1 was shut down", member: null, host: "h1" }]);
    });

    it("says nothing twice: a worker that has told of a rank's death ends the stage with it", () => {
      const member = { kind: "rank", index: 1 } as const;
      apply(1, started);
      apply(2, { type: "incident", code: "RANK_LOST", message: "Rank 1 was killed", member, host: "h" });
      apply(3, { type: "stageFailed", problem: problemOf("RANK_LOST", "Rank 1 was killed") });
      expect(incidents()).toMatchObject([{ member }]);
    });

    it("says nothing of a job that has failed: its problem does", () => {
      apply(1, started);
      apply(2, { type: "stageFailed", problem: problemOf("TRAIN_DIVERGED", "NaN") });
      expect([run.job.state, incidents()]).toEqual(["FAILED", []]);
    });
  });

  it("takes an artifact where the stage's task asks for it, and fails the stage that tells of any other", () => {
    const [stage] = run.stages as [JobRun["stages"][number]];
    const own = {
      ...outputPlace(run, stage),
      kind: "model",
      reuseKey: "key",
      digest: "d",
      bytes: 1,
      info: {},
      blobs: [],
    };
    const checkpoint = {
      ...own,
      id: `${own.id}-checkpoint-1-10`,
      prefix: `${own.prefix}.checkpoint-1-10`,
      reuseKey: null,
    };
    const saved = (artifact: typeof checkpoint) =>
      apply(1, { type: "checkpointSaved", artifact, epoch: 1, step: 10, metrics: {} });
    const succeeded = (change: object) => apply(1, { type: "stageSucceeded", artifact: { ...own, ...change } });
    const forgeries = [
      () => succeeded({ prefix: "projects/other/jobs/job_2/a1/0-train" }),
      () => succeeded({ id: "art_of_another_stage" }),
      () => succeeded({ reuseKey: "of another job's stage" }),
      () => saved({ ...checkpoint, prefix: "projects/other/jobs/job_2/a1/0-train" }),
    ];
    for (const forge of forgeries) {
      run = trainingRun();
      forge();
      expect(run.artifacts).toEqual([]);
      expect(run.stages[0]).toMatchObject({ state: "FAILED", problem: { code: "WORKER_INCOMPATIBLE" } });
    }
    run = trainingRun();
    saved(checkpoint);
    apply(2, { type: "stageSucceeded", artifact: own });
    // What another slice told before, in a stream that is read later.
    const second: WorkerEventBody = { ...started, host: "h2" };
    applyWorkerEvent(run, event(1, second, 1, 1), options);
    expect([...run.members.values()].map(({ member, host }) => [memberName(member), host])).toEqual([
      ["2", "h2"],
      ["3", "h2"],
    ]);
    expect(run.artifacts.map(({ made }) => made.id)).toEqual([checkpoint.id, own.id]);
    expect(run.stages[0]?.state).toBe("SUCCEEDED");
  });
});
