import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Client, JobState } from "../support/client.ts";
import { Hold } from "../support/hold.ts";
import { Stack } from "../support/stack.ts";
import { resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

describe("a file that changes after it was stored", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-damage-"));
  const hold = new Hold();
  let stack: Stack;
  let client: Client;
  let files: string[];
  let dataset: string;
  let undisturbed: JobState;

  const spec = (change: Record<string, unknown> = {}) => ({
    dataset,
    task: { target: "label" },
    model: { type: "sage", options: { hiddenFeats: 16 } },
    train: { epochs: 4, batchSize: 256, checkpoint: { everyEpochs: 1 } },
    resources: { ranks: 1 },
    ...change,
  });

  beforeAll(async () => {
    stack = await Stack.startOnServer(hold.env);
    client = stack.client;
    const size = { numNodes: 1000, numEdges: 5000, featureDim: 16, seed: 5 };
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, size);
    files = [edgesFile, nodesFile];
  });
  afterAll(async () => {
    await stack?.stop();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    dataset = await client.makeDataset("made up", files);
    undisturbed = await train();
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");
  });

  const train = async (change?: Record<string, unknown>) => client.finished(await client.submit(spec(change)));
  const told = (job: JobState, code: string) => job.incidents.filter((incident) => incident.code === code);

  /** Flips a bit of every stored file with such an ending below the dataset or its jobs, in place. */
  function damage(ending: string, below = join(stack.dir, "artifacts")): string[] {
    const found = readdirSync(below, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
    for (const path of found) {
      chmodSync(join(below, path), 0o644);
      const bytes = readFileSync(join(below, path));
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      writeFileSync(join(below, path), bytes);
    }
    expect(found).not.toEqual([]);
    return found;
  }

  it("is not served, whole or in part, but named; and an export is made again", async () => {
    const url = `/v1/jobs/${undisturbed.id}/embeddings?format=csv`;
    const get = (headers = {}) => fetch(stack.url + url, { headers: { ...client.headers, ...headers } });
    const make = () => fetch(stack.url + url, { method: "POST", headers: client.headers });
    await make();
    const before = await until("the file", async () => {
      const answer = await get();
      return answer.ok ? answer.text() : null;
    });
    damage("embeddings.csv");
    const refused = await get({ range: "bytes=0-9" });
    expect(refused.status).toBe(500);
    expect(await refused.json()).toMatchObject({ code: "ARTIFACT_DAMAGED", file: "embeddings.csv" });
    expect((await get()).status).toBe(404); // as if it had never been made
    expect((await make()).status).toBe(202);
    expect(await until("the file again", async () => ((await get()).ok ? (await get()).text() : null))).toBe(before);
  });

  it("is trained on by no job: what a step has made it makes again, with the same bits", async () => {
    const [path = ""] = damage("part0/features.npy");
    const job = await train();
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    expect(
      told(job, "ARTIFACT_DAMAGED")
        .map(({ message }) => message)
        .join(" "),
    ).toContain(path.split("/").slice(-2).join("/"));
    expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
    expect((await train()).attempt).toBe(1);
  });

  it("has a damaged graph made again from the files as they were uploaded", async () => {
    damage("nodes/features.npy");
    const job = await train({ partition: { type: "streaming" } });
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    expect(await ingests()).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect((await train({ partition: { type: "streaming" } })).attempt).toBe(1);
  });

  it("ends the job by name where it is an upload, which nobody can make again", async () => {
    damage("nodes/features.npy");
    damage("files/0", join(stack.dir, "artifacts/projects/default/datasets", dataset));
    const job = await train({ partition: { type: "range" } });
    expect(job.state).toBe("FAILED");
    expect(job.problem).toMatchObject({
      code: "ARTIFACT_DAMAGED",
      detail: expect.stringContaining("nodes/features.npy"),
    });
    expect(await ingests()).toEqual(["FAILED", "SUCCEEDED"]);
  });

  it("costs a job that resumes from it some epochs, not its result", async () => {
    hold.arm("sampled", { epoch: 3, step: 1 });
    const id = await client.submit(spec());
    const { pid } = await hold.reached();
    await until("a checkpoint", async () => (await client.job(id)).artifacts.some(({ kind }) => kind === "checkpoint"));
    damage("model.safetensors", join(stack.dir, "artifacts/projects/default/jobs", id));
    hold.release();
    process.kill(pid, "SIGKILL");
    const job = await client.finished(id);
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    expect(told(job, "ARTIFACT_DAMAGED")[0]?.message).toContain("model.safetensors");
    expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
  });

  /** States of the dataset's ingest jobs, newest first. */
  async function ingests(): Promise<string[]> {
    const query = "query($id: ID!) { dataset(id: $id) { latest { state jobs { kind state } } } }";
    const { dataset: found } = await client.graphql<{
      dataset: { latest: { state: string; jobs: { kind: string; state: string }[] } };
    }>(query, { id: dataset });
    expect(found.latest.state).toBe("READY");
    return found.latest.jobs.flatMap(({ kind, state }) => (kind === "ingest" ? [state] : []));
  }
});
