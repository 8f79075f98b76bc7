import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Hold } from "../support/hold.ts";
import { canMountDisks, SmallDisk } from "../support/small-disk.ts";
import { Stack } from "../support/stack.ts";
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
