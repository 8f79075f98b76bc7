import { JobRun } from "../../../src/job-state/job-run.ts";
import { grantedSlices } from "../../../src/job-state/stage-slices.ts";
import type { StageGrant } from "../../../src/job-state/transitions/stage-transitions.ts";

const owner = { projectId: "p", createdBy: "u" };
const at = new Date("2026-01-01T00:00:00Z");

/** A queued job with these stages, never started. */
export function queuedRun(kinds: readonly string[] = ["partition", "train"]): JobRun {
  return new JobRun({
    job: {
      ...owner,
      id: "job_1",
      kind: "train",
      name: "test",
      state: "QUEUED",
      desired: "RUN",
      waitReason: null,
      spec: {},
      tags: {},
      starred: false,
      note: "",
      datasetName: null,
      modelType: null,
      numRanks: null,
      chiefMetric: null,
      result: null,
      validation: null,
      sweepId: null,
      setting: null,
      seed: null,
      priority: 5,
      datasetVersionId: null,
      sourceJobId: null,
      modelArtifactId: null,
      attempt: 0,
      cursor: 0,
      estimate: null,
      problem: null,
      idempotencyKey: null,
      requestHash: null,
      requestId: null,
      createdAt: at,
      startedAt: null,
      finishedAt: null,
      deletedAt: null,
    },
    stages: kinds.map((kind, index) => ({
      ...owner,
      id: `stage_${index}`,
      jobId: "job_1",
      index,
      kind,
      options: {},
      ranks: 1,
      state: "PENDING",
      cached: false,
      slices: [],
      attempt: 0,
      reuseKey: null,
      outputId: null,
      phase: null,
      completed: null,
      total: null,
      unit: null,
      etaSeconds: null,
      problem: null,
      startedAt: null,
      finishedAt: null,
    })),
    attempt: null,
    sequences: [],
    lastFruitfulAttempt: 0,
    incidents: [],
  });
}

export const place = { id: "attempt_1", workerId: "w", bootId: "b", host: "h", ranks: 1, device: "cpu" };

/** The grant of a stage on so many hosts, h, h1, h2 …, with as many ranks each. */
export function grantOf(numHosts: number, ranksEach = 1): StageGrant {
  const places = Array.from({ length: numHosts }, (_, i) => ({
    workerId: i === 0 ? "w" : `w${i}`,
    bootId: "b",
    host: i === 0 ? "h" : `h${i}`,
    members: ranksEach,
    devices: null,
  }));
  const ranks = numHosts * ranksEach;
  return { reuseKey: "key", ranks, slices: grantedSlices(places, ranks) };
}
