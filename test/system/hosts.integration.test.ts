import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { Hold } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { resultDigests } from "../support/struck-job.ts";

describe("two ranks on two hosts", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-hosts-"));
  const hold = new Hold();
  let stack: Stack;
  let client: Client;
  let onOneHost: JobState;

  beforeAll(async () => {
    await writeCitationGraph(dir, { numNodes: 400, numEdges: 2000, seed: 7 });
    stack = await Stack.start({ HOPWISE_RANK_ADDRESS: "127.0.0.2", ...hold.env });
    client = stack.client;
    onOneHost = await client.finished(await submit("one", 1), 200);
    expect(onOneHost.state, JSON.stringify(onOneHost.problem)).toBe("SUCCEEDED");
  }, 240_000);
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** In a project of its own, where nothing can be reused. */
  async function submit(name: string, hosts: number): Promise<string> {
    const project = await client.makeProject(name);
    const files = [join(dir, "edges.csv"), join(dir, "nodes.csv")];
    const dataset = await client.makeDataset(name, files, undefined, project);
    return client.submit({
      dataset,
      project,
      task: { target: "label" },
      model: { type: "sage", options: { hiddenFeats: 16 } },
      sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
      train: { epochs: 3, batchSize: 64 },
      resources: { ranks: 2, hosts },
    });
  }

  it("give the bits of two ranks on one host, whose names the job tells; a host killed in between changes nothing", async () => {
    const second = await stack.addWorker("second", { HOPWISE_RANK_ADDRESS: "127.0.0.3" });
    const together = await client.finished(await submit("two", 2), 200);
    expect(together.state, JSON.stringify(together.problem)).toBe("SUCCEEDED");
    expect(together.attempt).toBe(1);
    expect(resultDigests(together)).toEqual(resultDigests(onOneHost));

    hold.arm("all-reduce", { epoch: 2, step: 1 });
    const jobId = await submit("struck", 2);
    await hold.reached();
    await second.kill();
    hold.release();
    const struck = await client.finished(jobId, 200);
    expect(struck.state, JSON.stringify(struck.problem)).toBe("SUCCEEDED");
    expect(struck.attempt).toBe(2);
    expect(struck.incidents.map(({ code }) => code)).toContain("WORKER_LOST");
    expect(resultDigests(struck)).toEqual(resultDigests(onOneHost));
  }, 480_000);
});
