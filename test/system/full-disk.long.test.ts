import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/client.ts";
import { Hold } from "../support/hold.ts";
import { canMountDisks, SmallDisk } from "../support/small-disk.ts";
import { freePort, Stack } from "../support/stack.ts";
import { resultDigests } from "../support/struck-job.ts";
import { until } from "../support/until.ts";

const megabyte = 1024 * 1024;

describe.skipIf(!canMountDisks)("a job whose results find the disk of the artifact store full", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-full-"));
  const hold = new Hold();
  let disk: SmallDisk;
  let stack: Stack;
  let dataset: string;

  const spec = () => ({
    dataset,
    task: { target: "label" },
    model: { type: "sage", options: { hiddenFeats: 16 } },
    train: { epochs: 3, batchSize: 256, checkpoint: { everyEpochs: 1 } },
    resources: { ranks: 1 },
    outputs: { embeddings: { formats: ["csv"] } },
  });

  beforeAll(async () => {
    disk = new SmallDisk(64);
    stack = await Stack.start({
      ...hold.env,
      ARTIFACTS_URL: pathToFileURL(join(disk.dir, "artifacts")).href,
      HOPWISE_MIN_FREE_BYTES: String(4 * megabyte),
    });
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, {
      numNodes: 1000,
      numEdges: 5000,
      featureDim: 16,
      seed: 5,
    });
    dataset = await stack.client.makeDataset("made up", [edgesFile, nodesFile]);
  });
  afterAll(async () => {
    await stack?.stop();
    disk?.remove();
    hold.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it("goes on without checkpoints, waits with what it has made, and ends with the undisturbed bits in its first attempt", async () => {
    const undisturbed = await stack.client.finished(await stack.client.submit(spec()));
    expect(undisturbed.state, JSON.stringify(undisturbed.problem)).toBe("SUCCEEDED");

    hold.arm("checkpoint-write", { epoch: 1 });
    const id = await stack.client.submit(spec());
    await hold.reached();
    disk.fill();
    hold.release();
    const told = async (what: string) => {
      const { incidents } = await stack.client.job(id);
      return incidents.find(({ code, message }) => code === "STORAGE_FULL" && message.includes(what));
    };
    const withoutCheckpoint = await until("the checkpoint's refusal", () => told("goes on without this checkpoint"));
    expect(withoutCheckpoint.message).toContain("The disk of the artifact store (ARTIFACTS_URL) is full");
    await until("the stage that waits", () => told("waits until there is room"));
    expect((await stack.client.job(id)).state).toBe("RUNNING");
    expect(
      readdirSync(join(disk.dir, "artifacts/.tmp"), { recursive: true, withFileTypes: true }).filter(
        (f) => f.isFile() && !/lock/.test(f.name),
      ),
    ).toEqual([]);

    disk.empty();
    const job = await stack.client.finished(id);
    expect(job, JSON.stringify(job.problem)).toMatchObject({ state: "SUCCEEDED", attempt: 1 });
    expect(resultDigests(job)).toEqual(resultDigests(undisturbed));
  });
});

describe.skipIf(!canMountDisks)("the embedded stack, with everything of it on one disk that fills up", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const graph = mkdtempSync(join(tmpdir(), "hw-full-"));
  let disk: SmallDisk;
  let stack: ChildProcess;
  let client: Client;

  /** The supervisor's programs, as `stack.json` has them. */
  const services = () => JSON.parse(readFileSync(join(disk.dir, "data/stack.json"), "utf8")).services as unknown;

  beforeAll(async () => {
    disk = new SmallDisk(400);
    const data = join(disk.dir, "data");
    const port = await freePort();
    // As many requests as it takes to fill the database.
    const limits = { HOPWISE_MIN_FREE_BYTES: "20000000", HOPWISE_REQUESTS_PER_MINUTE: "1000000" };
    const env = { ...process.env, ...limits, HOPWISE_DATA: data, HOPWISE_PORT: String(port) };
    stack = spawn("node", ["--import", "tsx", "script/stack/main.ts"], { cwd: root, env, stdio: "ignore" });
    const file = join(data, "stack.json");
    await until("the stack", () => existsSync(file) && JSON.parse(readFileSync(file, "utf8")).isReady === true);
    client = new Client(`http://127.0.0.1:${port}`, readFileSync(join(data, "secrets/admin-api-key"), "utf8").trim());
  });
  afterAll(async () => {
    const ended = once(stack, "exit");
    stack.kill("SIGTERM");
    await ended;
    disk.remove();
    rmSync(graph, { recursive: true, force: true });
  });

  it("loses no program: it answers reads, its job waits, and goes on when there is room", {
    timeout: 300_000,
  }, async () => {
    const size = { numNodes: 1000, numEdges: 5000, featureDim: 16, seed: 5 };
    const { edgesFile, nodesFile } = await writeCitationGraph(graph, size);
    const dataset = await client.makeDataset("made up", [edgesFile, nodesFile]);
    const before = services();
    const id = await client.submit({
      dataset,
      task: { target: "label" },
      train: { epochs: 20 },
      resources: { ranks: 1 },
    });
    await until("training", async () => (await client.job(id)).stages.some(({ kind }) => kind === "train"));
    disk.fill();
    // Each takes some of what the database has left.
    for (let status = 0; status !== 507; ) {
      status = (await makeDataset()).status;
      expect([201, 507]).toContain(status);
    }
    expect((await client.job(id)).problem).toBeNull();
    expect(services()).toEqual(before);

    disk.empty();
    const job = await client.finished(id);
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    // An attempt may end where a step itself finds no room, which the system may say by SIGBUS; for nothing else.
    const others = job.incidents.filter(({ code, message }) => code !== "STORAGE_FULL" && !message.includes("SIGBUS"));
    expect(others).toEqual([]);
    expect(services()).toEqual(before);
  });

  function makeDataset(): Promise<Response> {
    const headers = { ...client.headers, "content-type": "application/json" };
    const body = JSON.stringify({ name: "x".repeat(100) });
    return fetch(`${client.url}/v1/datasets`, { method: "POST", headers, body });
  }
});
