import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildEmulated } from "../../packages/gnn-core/test/support/cuda-emulated.ts";
import type { Client } from "../support/client.ts";
import { DeviceTrace } from "../support/device-trace.ts";
import { Hold } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";

/** The whole service, its scheduler and a worker whose kernels for GPUs run on two emulated devices. */
describe("jobs with the device cuda, from the spec to the embeddings", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-cuda-jobs-"));
  const hold = new Hold();
  const trace = new DeviceTrace();
  let stack: Stack;
  let client: Client;
  let dataset: string;

  beforeAll(async () => {
    buildEmulated();
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, { numNodes: 120, numEdges: 400, featureDim: 8 });
    const devices = { HOPWISE_BACKEND: "cuda", HOPWISE_EMULATED_DEVICES: "2" };
    stack = await Stack.startOnServer({ ...trace.env(hold.env), ...devices });
    client = stack.client;
    dataset = await client.makeDataset("devices", [edgesFile, nodesFile]);
  }, 600_000);
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    trace.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const submit = (ranks: number, seed: number) =>
    client.submit({
      dataset,
      task: { target: "label" },
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2 } },
      sampling: { type: "neighbor", options: { fanouts: [3, 2] } },
      train: { epochs: 4, batchSize: 32, seed },
      resources: { device: "cuda", ranks },
    });
  const succeeded = async (id: string) => {
    const job = await client.finished(id);
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    return job;
  };
  const waitsBecause = async (id: string) => {
    const found = await client.graphql<{ job: { queue: { reason: string | null } | null } }>(
      "query($id: ID!) { job(id: $id) { queue { reason } } }",
      { id },
    );
    return found.job.queue?.reason ?? "";
  };

  it("never share a device: one that is held computes beside another, and two ranks wait for both devices", async () => {
    hold.arm("checkpoint-write", { epoch: 2 });
    const first = await submit(1, 1);
    const { pid } = await hold.reached();
    const second = await succeeded(await submit(1, 2));
    expect((await client.embeddings(second.id, "parquet")).byteLength).toBeGreaterThan(0);
    const traced = trace.taken();
    const [held] = traced.filter((each) => each.pid === pid);
    const [beside] = traced.filter((each) => each.pid !== pid);
    expect([held!.device, beside!.device].toSorted()).toEqual(["EMULATED-test-worker-0", "EMULATED-test-worker-1"]);
    const both = await submit(2, 3);
    await until("the reason to wait", async () => /free device/.test(await waitsBecause(both)));
    hold.release();
    await succeeded(first);
    await succeeded(both);
  });

  it("go on with another device when theirs is lost in the middle of a step", async () => {
    trace.taken();
    trace.loseNext();
    const job = await succeeded(await submit(1, 4));
    expect(job.attempt).toBe(2);
    expect(job.incidents).toMatchObject([{ code: "DEVICE_LOST", attempt: 1 }]);
    const traced = trace.taken();
    // From the checkpoint on: the epoch that was lost is trained again, and none before it.
    expect(traced.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4]);
    expect(new Set(traced.map(({ device }) => device)).size).toBe(2);
    expect(traced[1]!.device).not.toBe(traced[0]!.device);
  });
});
