import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JobState } from "../support/client.ts";
import { followToTheEnd } from "../support/events.ts";
import { Hold } from "../support/hold.ts";
import { ShiftedClock } from "../support/shifted-clock.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

const hour = 3_600_000;
const year = 365 * 24 * hour;
const plan = { epochs: 3, batchSize: 64 };

const leaps = [
  { what: "an hour ahead", ms: hour },
  { what: "an hour back", ms: -hour },
  { what: "a year ahead", ms: year },
  { what: "a year back", ms: -year },
];

describe("a job in whose second epoch the clock is set", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-clock-graph-"));
  const hold = new Hold();
  const clock = new ShiftedClock();
  let stack: Stack;
  let dataset: string;
  let undisturbed: JobState;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 3000, numEdges: 30_000, seed: 7 });
    stack = await Stack.start(clock.in(hold.env));
    dataset = await stack.client.makeDataset("citation", [join(dir, "edges.csv"), join(dir, "nodes.csv")]);
    undisturbed = await stack.client.finished(await submit());
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
  }, 240_000);
  afterEach(() => clock.set(0));
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    clock.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const submit = () =>
    stack.client.submit({
      dataset,
      task: { target: "label" },
      model: { type: "sage", options: { hiddenFeats: 64 } },
      sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
      train: plan,
      resources: { maxDuration: "PT30M" },
    });

  /** What the API takes the time for, by its own record of when it last heard of the worker. */
  const heardAt = async () => {
    const { workers } = await stack.client.graphql<{ workers: { lastSeen: string }[] }>("{ workers { lastSeen } }");
    return Date.parse(workers[0]?.lastSeen ?? "");
  };

  it.each(leaps)("$what, ends in its first attempt with the same bits and its whole story", async ({ ms }) => {
    const { client } = stack;
    hold.arm("all-reduce", { epoch: 2, step: 3 });
    const jobId = await submit();
    const live = followToTheEnd(client, jobId);
    await hold.reached();
    clock.set(ms);
    // Not before leases have been renewed and the scheduler has looked at the job by the new time.
    await until("the new time", async () => Math.abs((await heardAt()) - Date.now() - ms) < hour / 2);
    hold.release();
    const job = await client.finished(jobId);
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("api").slice(-2000)).toBe("SUCCEEDED");
    expect(job.attempt).toBe(1);
    expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
    const events = await live;
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
    expect(epochsOf(events)).toEqual(Array.from({ length: plan.epochs }, (_, i) => i + 1));
    expect((await client.workers()).map(({ state }) => state)).toEqual(["ONLINE"]);
  });
});
