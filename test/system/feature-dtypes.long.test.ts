import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { Stack } from "../support/stack.ts";

const dtypes = [
  { dtype: "fp32", bytes: 4 },
  { dtype: "fp16", bytes: 2 },
  { dtype: "int8", bytes: 1 },
] as const;

/** One job per way to store features, on two ranks, each with another place to read them from. */
describe("features stored as fp32, fp16 and int8", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-dtypes-"));
  const numNodes = 800;
  const featureDim = 32;
  let stack: Stack;
  let client: Client;
  const jobs = new Map<string, JobState>();

  beforeAll(async () => {
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, { numNodes, numEdges: 4000, featureDim });
    stack = await Stack.startOnServer();
    client = stack.client;
    const dataset = await client.makeDataset("dtypes", [edgesFile, nodesFile]);
    for (const [i, { dtype }] of dtypes.entries()) {
      const job = await client.submit({
        dataset,
        task: { target: "label" },
        features: { dtype, storage: ["memory", "mapped", "auto"][i], transforms: ["standardize"] },
        model: { type: "sage", options: { hiddenFeats: 16 } },
        sampling: { type: "full" },
        train: { epochs: 30, optimizer: { type: "adam", options: { lr: 0.02 } } },
        resources: { ranks: 2 },
      });
      jobs.set(dtype, await client.finished(job));
    }
  }, 600_000);
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const artifactOf = (dtype: string, kind: string) => {
    const job = jobs.get(dtype);
    expect(job?.state, JSON.stringify(job?.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    return job?.artifacts.find((artifact) => artifact.kind === kind);
  };
  const accuracyOf = (dtype: string) =>
    (artifactOf(dtype, "model")?.info.metrics as Record<string, number> | undefined)?.["test/accuracy"] ?? Number.NaN;

  it.each(dtypes)("$dtype parts take $bytes bytes per value", ({ dtype, bytes }) => {
    const blobs = artifactOf(dtype, "parts")?.blobs.filter(({ name }) => name.endsWith("features.npy")) ?? [];
    const headers = 128;
    const values = blobs.reduce((sum, blob) => sum + blob.bytes - headers, 0);
    expect(blobs).toHaveLength(2);
    expect(values).toBe(numNodes * featureDim * bytes);
  });

  it.each(["fp16", "int8"])("%s is as accurate as fp32 within three points", (dtype) => {
    console.log(`test accuracy: ${dtypes.map((one) => `${one.dtype} ${accuracyOf(one.dtype)}`).join(", ")}`);
    expect(accuracyOf("fp32")).toBeGreaterThan(0.5);
    expect(Math.abs(accuracyOf(dtype) - accuracyOf("fp32"))).toBeLessThanOrEqual(0.03);
  });
});
