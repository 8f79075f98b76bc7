import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  leadRank,
  problemOf,
  limits as serviceLimits,
  type WorkerEvent,
  type WorkerEventBody,
} from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StageOutbox } from "../../src/events/stage-outbox.ts";

const key = { jobId: "job_1", attempt: 1, stageIndex: 3, slice: 0 };
const limits = { soft: 3, hard: 5, maxBytes: 1e6 };
const metrics = (step: number): WorkerEventBody => ({
  type: "step",
  event: { type: "metrics", axis: "epoch", step, values: { "train/loss": 1 / step } },
});
const progress: WorkerEventBody = {
  type: "step",
  event: { type: "progress", phase: "epoch", completed: 1, total: 2, unit: "batches" },
};
const failed: WorkerEventBody = { type: "stageFailed", problem: problemOf("RANK_LOST", "Rank 1 died.") };

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outbox-"));
  path = join(dir, "job_1-1-3.ndjson");
});
afterEach(() => rmSync(dir, { recursive: true }));

const seqs = (box: StageOutbox, after = 0) => box.after(after, 100).map((event) => event.seq);
const bodies = (box: StageOutbox) => box.after(0, 100).map(({ json }) => (JSON.parse(json) as WorkerEvent).body);

test("events count 1, 2, 3 and lie in the file before anyone sees them", () => {
  const box = StageOutbox.create(path, key, limits);
  box.append(metrics(1));
  box.append(metrics(2));
  const lines = readFileSync(path, "utf8").trim().split("\n").slice(1);
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual([1, 2]);
  expect(seqs(box)).toEqual([1, 2]);
});

test("what follows any number is found, of what has not been acknowledged", () => {
  const box = StageOutbox.create(path, key, { ...limits, soft: 10, hard: 10 });
  for (const step of [1, 2, 3, 4, 5]) box.append(metrics(step));
  expect(seqs(box, 3)).toEqual([4, 5]);
  box.trim(2);
  expect(seqs(box, 0)).toEqual([3, 4, 5]);
  expect(seqs(box, 4)).toEqual([5]);
  expect(seqs(box, 5)).toEqual([]);
  expect(box.after(2, 2).map(({ seq }) => seq)).toEqual([3, 4]);
  expect([box.trimmed, box.lastSeq, box.length]).toEqual([2, 5, 3]);
});

test("a restarted worker finds the unacknowledged events and counts on", () => {
  const box = StageOutbox.create(path, key, limits);
  box.append(metrics(1));
  box.append(metrics(2));
  box.close();
  const again = StageOutbox.recover(path, key, limits);
  again.append(failed);
  expect(seqs(again)).toEqual([1, 2, 3]);
  expect(again.isFinished).toBe(true);
});

test("a line cut off by the worker's death is dropped and its number used again", () => {
  StageOutbox.create(path, key, limits).append(metrics(1));
  appendFileSync(path, '{"contract":1,"jobId":"job_1","att');
  const again = StageOutbox.recover(path, key, limits);
  again.append(metrics(2));
  expect(seqs(again)).toEqual([1, 2]);
  expect(seqs(StageOutbox.recover(path, key, limits))).toEqual([1, 2]);
});

test("numbers go on after what the API has acknowledged of an earlier life", () => {
  const box = StageOutbox.create(path, key, limits, 7);
  box.append(metrics(1));
  expect(seqs(box)).toEqual([8]);
});

test("numbers go on when a compacted file holds no event at all", () => {
  const big = { soft: 5000, hard: 5000, maxBytes: 1e9 };
  const box = StageOutbox.create(path, key, big);
  for (let step = 1; step <= 1000; step++) box.append(metrics(step));
  box.trim(1000);
  expect(readFileSync(path, "utf8")).toBe('{"trimmed":1000}\n');
  const again = StageOutbox.recover(path, key, big);
  again.append(metrics(1001));
  expect(seqs(again)).toEqual([1001]);
});

test("nothing follows a stage's last event", () => {
  const box = StageOutbox.create(path, key, limits);
  box.append(failed);
  expect(box.append(metrics(1))).toBe(false);
  expect(seqs(box)).toEqual([1]);
});

test("over the limits replaceable events are left out first, and the next one taken says how many", () => {
  const box = StageOutbox.create(path, key, limits);
  for (const step of [1, 2, 3]) box.append(metrics(step));
  expect(box.append(progress)).toBe(false);
  expect(box.append(progress)).toBe(false);
  expect(box.append(metrics(4))).toBe(true);
  expect(box.append(metrics(5))).toBe(false);
  expect(box.append(failed)).toBe(true);
  const types = bodies(box).map((body) => (body.type === "step" ? body.event.type : body.type));
  expect(types).toEqual(["metrics", "metrics", "metrics", "log", "metrics", "log", "stageFailed"]);
  expect(JSON.stringify(bodies(box)[3])).toContain("2 events were left out");
});

test("a removed outbox leaves no file", () => {
  const box = StageOutbox.create(path, key, limits);
  box.remove();
  expect(existsSync(path)).toBe(false);
});

test("over the limit in bytes only what decides the job's fate is taken", () => {
  const box = StageOutbox.create(path, key, { soft: 1000, hard: 1000, maxBytes: 4000 });
  const log = (message: string): WorkerEventBody => ({
    type: "step",
    event: { type: "log", level: "warn", member: leadRank, message },
  });
  let taken = 0;
  while (box.append(log("x".repeat(500)))) taken++;
  expect(taken).toBeLessThan(8);
  expect(statSync(path).size).toBeLessThan(6000);
  expect(box.append(failed)).toBe(true);
});

test("of a stage that was told to stop the end alone can be kept, under its number", () => {
  const box = StageOutbox.create(path, key, limits);
  for (const step of [1, 2, 3]) box.append(metrics(step));
  box.keepEndAlone();
  expect(seqs(box)).toEqual([1, 2, 3]); // it has not ended
  box.append(failed);
  box.keepEndAlone();
  expect(seqs(box)).toEqual([4]);
  expect(seqs(StageOutbox.recover(path, key, limits))).toEqual([1, 2, 3, 4]); // and after a death all of it again
});

test("forgetting many events a few at a time writes the file anew seldom, not each time", () => {
  const box = StageOutbox.create(path, key, { soft: 1e6, hard: 1e6, maxBytes: 1e9 });
  for (let step = 1; step <= 20_000; step++) box.append(metrics(step));
  const files = new Set<number>();
  for (let seq = 100; seq <= 20_000; seq += 100) {
    box.trim(seq);
    files.add(statSync(path).ino);
  }
  expect(files.size).toBeLessThan(10);
  expect(box.isEmpty).toBe(true);
});

test("what is longer than the service reads is left out with a line of the log, and as the end of a slice fails it", () => {
  const box = StageOutbox.create(path, key, { soft: 10, hard: 10, maxBytes: 1e9 });
  const text = "x".repeat(serviceLimits.eventCharacters);
  box.append({ type: "incident", code: "RANK_LOST", message: text, member: leadRank, host: "here" });
  box.append({ type: "stageFailed", problem: problemOf("RANK_LOST", text) });
  const [left, end] = bodies(box);
  expect(left).toMatchObject({
    type: "step",
    event: { level: "warn", message: expect.stringContaining("incident has 41") },
  });
  expect(end).toMatchObject({ type: "stageFailed", problem: { code: "INTERNAL", retryable: false } });
  expect(box.isFinished).toBe(true);
  for (const { json } of box.after(0, 10)) expect(json.length).toBeLessThan(1000);
});
