import type { JobSnapshot } from "../../src/services/job-state.ts";

const stage = (index: number, kind: string): JobSnapshot["stages"][number] => ({
  index,
  kind,
  state: "PENDING",
  cached: false,
  phase: null,
  completed: null,
  total: null,
  unit: null,
  etaSeconds: null,
  attempt: 0,
  startedAt: null,
  finishedAt: null,
  problem: null,
});

const rank = (attempt: number, index: number): JobSnapshot["ranks"][number] => ({
  attempt,
  name: String(index),
  localRank: index,
  host: "host-a",
  device: "cpu",
  state: "STARTING",
  step: 0,
  seedsPerSecond: null,
  rssBytes: null,
  localRows: null,
  remoteRows: null,
  cachedRows: null,
  breakdown: null,
});

/** A job that has just been submitted, with rows of ranks as the API lists them: newest attempt first. */
export const emptyJob: JobSnapshot = {
  id: "job_1",
  name: "",
  kind: "train",
  spec: {},
  task: null,
  estimate: null,
  state: "QUEUED",
  createdAt: "2026-11-20T20:00:00.000Z",
  startedAt: null,
  finishedAt: null,
  cursor: "0",
  problem: null,
  dataset: null,
  stages: [stage(0, "partition"), stage(1, "train")],
  attempts: [],
  incidents: [],
  series: [],
  ranks: [rank(2, 0), rank(2, 1), rank(1, 1)],
  partition: null,
  logs: { lines: [], hasPreviousPage: false },
  model: null,
  embeddings: null,
};
