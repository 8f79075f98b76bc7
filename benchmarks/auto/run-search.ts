import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { AnswerOf } from "@hopwise/client";
import type { Client } from "../../test/support/client.ts";
import type { AutoSet } from "./auto-set.ts";

type SweepDetails = AnswerOf<"GET /v1/sweeps/:id">;

/** What a search came to. */
export interface Found {
  readonly set: string;
  readonly budget: string;
  readonly metric: string;
  readonly aim: number | null;
  /** Mean and deviation of the test metric over the seeds of the chosen setting; null: nothing was chosen */
  readonly test: number | null;
  readonly deviation: number | null;
  readonly numSeeds: number;
  readonly chosen: string | null;
  readonly reason: string | null;
  readonly numTrials: number;
  readonly numFailed: number;
  readonly seconds: number;
  readonly decisions: readonly string[];
  /** Each setting that was tried, with its mean on validation and test */
  readonly settings: readonly string[];
  /** Why trials failed, each once */
  readonly failures: readonly string[];
}

/** Has the settings of a set found, as `hopwise train --auto` does. */
export async function runSearch(
  client: Client,
  set: AutoSet,
  dataset: string,
  budget: string,
  tell: (line: string) => void,
): Promise<Found> {
  const start = performance.now();
  const spec = { version: 1, kind: "train", dataset, task: set.task, ...(set.split && { split: set.split }) };
  const auto = { budget, ...(set.chosenBy && { metric: set.chosenBy }) };
  const { id } = await client.api.call("POST /v1/sweeps", { body: { spec, auto }, idempotencyKey: randomUUID() });
  const params = { id };
  let numTold = 0;
  for (;;) {
    const sweep = await client.api.call("GET /v1/sweeps/:id", { params });
    const decisions = sweep.search?.decisions ?? [];
    for (const decision of decisions.slice(numTold)) tell(decision);
    numTold = decisions.length;
    if (sweep.finishedAt !== null) return foundIn(client, set, budget, sweep, (performance.now() - start) / 1000);
    await wait(1000);
  }
}

async function foundIn(
  client: Client,
  { name, metric, aim }: AutoSet,
  budget: string,
  { settings, best, counts, search }: SweepDetails,
  seconds: number,
): Promise<Found> {
  const chosen = settings.find(({ index }) => index === best?.setting);
  const trials = chosen?.trials.filter(({ state }) => state === "SUCCEEDED") ?? [];
  const values: number[] = [];
  for (const { jobId } of trials) {
    const { metrics } = await client.api.call("GET /v1/jobs/:id", { params: { id: jobId } });
    const value = metrics?.[`test/${metric}`];
    if (typeof value === "number") values.push(value);
  }
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    set: name,
    budget,
    metric,
    aim,
    test: mean,
    deviation: mean === null || values.length < 2 ? null : deviationOf(values, mean),
    numSeeds: values.length,
    chosen: chosen?.title ?? null,
    reason: best?.reason ?? null,
    numTrials: counts.jobs,
    numFailed: counts.failed,
    seconds: Math.round(seconds),
    decisions: search?.decisions ?? [],
    settings: settings.map(settingLine),
    failures: await failuresOf(client, settings),
  };
}

async function failuresOf(client: Client, settings: SweepDetails["settings"]): Promise<string[]> {
  const failed = settings.flatMap(({ title, trials }) =>
    trials.flatMap(({ jobId, state }) => (state === "FAILED" ? [{ title, jobId }] : [])),
  );
  const words: string[] = [];
  for (const { title, jobId } of failed) {
    const { problem } = await client.api.call("GET /v1/jobs/:id", { params: { id: jobId } });
    words.push(`${title}: ${problem?.code ?? "no reason"}: ${problem?.detail ?? ""}`);
  }
  return [...new Set(words)];
}

/** The standard deviation of the sample. */
function deviationOf(values: readonly number[], mean: number): number {
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

function settingLine({ title, trials, validation, test }: SweepDetails["settings"][number]): string {
  const states = [...new Set(trials.map(({ state }) => state))].join("+").toLowerCase();
  const meanText = (spread: { mean: number } | null) => spread?.mean.toFixed(4) ?? "-";
  return `${title}: ${trials.length} ${states}, validation ${meanText(validation)}, test ${meanText(test)}`;
}
