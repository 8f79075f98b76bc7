import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, told as toldTo } from "../support/assistant.ts";
import { runCopied } from "../support/copied-requests.ts";
import { readParquet } from "../support/parquet.ts";
import { clientForPython, hasPython, python, runNotebook } from "../support/python.ts";
import { Stack } from "../support/stack.ts";
import { writeVersions } from "../support/versions.ts";

interface Told {
  readonly refs: readonly string[];
  readonly nodes: readonly number[];
  readonly sentBytes: number;
  readonly tasks: readonly object[];
  readonly accuracy: number;
  readonly inferredStages: readonly string[];
  readonly ids: readonly string[];
  readonly width: number;
  readonly vectors: Readonly<Record<string, readonly number[]>>;
  readonly predicted: number;
  readonly modelFiles: readonly string[];
  readonly trials: readonly number[];
  readonly best: boolean;
  readonly jobs: number;
  readonly inferJob: string;
  readonly cancelled: string;
}

describe("programs, from the upload to tomorrow's nodes", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-python-"));
  const { first, rows } = writeVersions(dir);
  let stack: Stack;
  let told: Told;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    stack = await Stack.startOnServer();
    const key = readFileSync(join(stack.dir, "secrets", "admin-api-key"), "utf8");
    env = { HOPWISE_URL: stack.url, HOPWISE_API_KEY: key.trim() };
    if (!hasPython) return;
    const { stdout, stderr } = await python([join(clientForPython, "test", "long_tour.py"), dir], { env });
    expect(stderr).toMatch(/^epoch 3: .*loss/m);
    told = JSON.parse(stdout);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  it.skipIf(!hasPython)("in Python upload two versions, train on the first and apply the model to the second", () => {
    expect(told.refs).toEqual([expect.stringMatching(/^ds_\w+@1$/), expect.stringMatching(/^ds_\w+@2$/)]);
    expect(told.nodes).toEqual([200, 220]);
    expect(told.sentBytes).toBe(Math.max(...first.map((path) => statSync(path).size)));
    expect(told.tasks).toContainEqual(expect.objectContaining({ target: "label" }));
    expect(told.accuracy).toBeGreaterThan(0.3);
    expect(told.inferredStages).not.toContain("train");
    expect(told.modelFiles).toEqual(expect.arrayContaining(["model.safetensors"]));
  });

  it.skipIf(!hasPython)(
    "in Python get vectors by the user's ids: those of the Parquet file that they download with columns called as asked",
    async () => {
      const exported = await readParquet(join(dir, "embeddings.parquet"));
      expect(exported).toHaveLength(rows.length);
      expect(new Set(told.ids)).toEqual(new Set(rows.map((_, node) => `n${node}`)));
      expect([told.width, told.predicted]).toEqual([8, rows.length]);
      for (const { pk, values } of exported) {
        const vector = told.vectors[String(pk)] ?? [];
        expect([...(values as Iterable<number>)].map(Math.fround), String(pk)).toEqual(vector.map(Math.fround));
      }
      expect(readFileSync(join(dir, "predictions.csv"), "utf8")).toMatch(/^id,split,label,predicted/);
    },
  );

  it.skipIf(!hasPython)("in Python sum up a sweep over seeds, and list all jobs page by page", () => {
    expect([told.trials, told.best]).toEqual([[2], true]);
    expect(told.jobs).toBe(4);
  });

  it.skipIf(!hasPython)("in Python learn by an error how a job has ended that they waited for", () => {
    expect(told.cancelled).toBe("CANCELLED JOB_NOT_SUCCEEDED");
  });

  it.skipIf(!hasPython)("in a notebook run, cell by cell, to a picture where matplotlib is", async () => {
    const folder = join(dir, "notebook");
    mkdirSync(folder);
    symlinkSync(join(clientForPython, "../../examples"), join(folder, "examples"));
    const { stdout } = await runNotebook(join(clientForPython, "examples/papers.ipynb"), { env, cwd: folder });
    expect(stdout).toMatch(/test accuracy 0\.\d+/);
    expect(stdout).toMatch(/150 vectors of \d+ numbers/);
    expect(stdout).toMatch(/like 000413E7: (\S+, ){4}\S+/);
    expect(stdout).toMatch(/^(plotted|matplotlib is missing)/m);
  });

  it("of assistants that may write upload, train and fetch results", async () => {
    const { api } = stack.client;
    const works = await connect(env, "--allow-writes", "--folder", dir);
    const made = await toldTo(works, "upload_files", { paths: first, name: "by-assistant" });
    expect(made).toMatchObject({ ref: expect.stringMatching(/^ds_\w+@1$/), numNodes: 200 });
    const spec = { model: { type: "gcn" }, train: { epochs: 1 }, outputs: { map: { maxDetailed: 0 } } };
    const job = await toldTo<{ id: string }>(works, "train", { dataset: "by-assistant", spec });
    const progress: string[] = [];
    const waiting = { name: "wait_for_job", arguments: { job: job.id, seconds: 100 } };
    const options = { onprogress: ({ message = "" }: { message?: string | undefined }) => void progress.push(message) };
    await works.callTool(waiting, undefined, options);
    expect(progress.join("\n")).toMatch(/train/);
    const path = join(dir, "by-assistant.csv");
    const asked = { job: job.id, what: "predictions", format: "csv", path };
    expect(await toldTo(works, "download_results", asked)).toMatchObject({ path });
    expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(1 + 200);
    await works.close();
    expect((await api.call("GET /v1/jobs/:id", { params: { id: job.id } })).state).toBe("SUCCEEDED");
  });

  it("are what the dashboard copies: curl, TypeScript, Python, the command line and GraphQL submit the same job", async () => {
    const { api } = stack.client;
    const dataset = { id: (await api.call("POST /v1/datasets", { body: { name: "copied" } })).id };
    await stack.client.upload(dataset.id, first);
    const proposed = await stack.client.proposedSpec(dataset.id);
    const ingest = await api.call("PUT /v1/datasets/:id/spec", { params: dataset, body: proposed });
    await stack.client.finished(ingest.id);
    const outputs = { map: { maxDetailed: 0 } };
    const spec = {
      version: 1,
      kind: "train",
      dataset: dataset.id,
      name: "it's",
      task: { target: "label" },
      train: { epochs: 1 },
      outputs,
    };
    await runCopied(spec, stack.url, { dir, env });
    const jobs = (await api.call("GET /v1/jobs", { query: { kind: "train", dataset: dataset.id } })).items;
    expect(jobs).toHaveLength(hasPython ? 5 : 4);
    const specs = new Set(jobs.map((job) => JSON.stringify(job.spec)));
    expect(specs.size).toBe(1);
    for (const { id } of jobs) expect((await stack.client.finished(id)).state).toBe("SUCCEEDED");
  });
});
