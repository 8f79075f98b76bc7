import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobState } from "../support/client.ts";
import { followToTheEnd } from "../support/events.ts";
import { Hold } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { epochsOf, resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

const plan = { epochs: 3, batchSize: 64 };

describe("a Redis without memory left", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-redis-memory-"));
  const hold = new Hold();
  let stack: Stack;
  let dataset: string;
  let undisturbed: JobState;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 3000, numEdges: 30_000, seed: 7 });
    stack = await Stack.startOnServer(hold.env);
    dataset = await stack.client.makeDataset("citation", [join(dir, "edges.csv"), join(dir, "nodes.csv")]);
    undisturbed = await stack.client.finished(await submit());
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const submit = () =>
    stack.client.submit({
      dataset,
      task: { target: "label" },
      model: { type: "sage", options: { hiddenFeats: 64 } },
      sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
      train: plan,
    });
  const redis = (...command: string[]) =>
    execFileSync("redis-cli", ["-s", stack.redisSocket, ...command], { encoding: "utf8", timeout: 30_000 }).trim();
  const readiness = async () => {
    const answer = await fetch(`${stack.url}/readyz`);
    const { code, detail } = (await answer.json()) as { code?: string; detail?: string };
    return { status: answer.status, code, detail };
  };

  it("is said by readiness and both logs with what to do; jobs wait, and go on with the same bits when there is more", async () => {
    const { client } = stack;
    hold.arm("all-reduce", { epoch: 2, step: 3 });
    const jobId = await submit();
    const live = followToTheEnd(client, jobId);
    await hold.reached();
    expect(redis("CONFIG", "SET", "maxmemory", "1")).toBe("OK");
    hold.release();

    await until("readiness to tell", async () => (await readiness()).status === 503);
    expect(await readiness()).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      detail: expect.stringContaining("maxmemory"),
    });
    await until("the API to say it", () => stack.logOf("api").includes("as much as its maxmemory allows"));
    await until("the worker to say it", () => stack.logOf("worker").includes("as much as its maxmemory allows"));
    const later = await submit(); // what is submitted meanwhile waits
    // For longer than any lease lives and may be missing, three times over.
    await until("the worker's silence to show", async () => (await client.workers())[0]?.state === "OFFLINE");
    expect(redis("KEYS", "hw:lease:*")).toBe("");
    expect((await client.job(jobId)).attempt).toBe(1);

    expect(redis("CONFIG", "SET", "maxmemory", "0")).toBe("OK");
    for (const id of [jobId, later]) {
      const job = await client.finished(id);
      expect(job.state, JSON.stringify(job.problem) + stack.logOf("api").slice(-2000)).toBe("SUCCEEDED");
      expect(job.attempt).toBe(1);
      expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
    }
    expect((await readiness()).status).toBe(200);
    const events = await live;
    expect(events.map(({ id }) => Number(id))).toEqual(events.map((_, i) => i + 1));
    expect(epochsOf(events)).toEqual(Array.from({ length: plan.epochs }, (_, i) => i + 1));
  }, 240_000);

  it("is warned of when it would drop what jobs need", async () => {
    redis("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    await stack.api.kill();
    stack.api.start();
    await stack.ready();
    await until("the warning", () => stack.logOf("api").includes("maxmemory-policy is allkeys-lru"));
    expect(stack.logOf("api")).toContain("CONFIG SET maxmemory-policy noeviction");
  });
});
