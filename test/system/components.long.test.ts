import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.ts";
import { Stack } from "../support/stack.ts";

const folder = fileURLToPath(new URL("../fixtures/components", import.meta.url));

interface Entry {
  kind: string;
  name: string;
  optionsSchema: { properties: Record<string, unknown> };
}

describe("components of the operator's own folder, one file each", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-components-"));
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = await Stack.startOnServer({ HOPWISE_COMPONENTS: folder });
    client = stack.client;
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const ringDataset = () =>
    client.makeDataset("ring", writeRing(dir, 60), {
      edges: { files: ["edges.jsonl"], src: "from", dst: "to" },
      nodes: { files: ["nodes.jsonl"], id: "node", label: "half", split: "use", features: { columns: ["x"] } },
    });

  it("appear in the catalogue with the schema that forms are drawn from", async () => {
    const { catalog } = await client.graphql<{ catalog: { components: Entry[]; jobSpecSchema: unknown } }>(
      "{ catalog { components { kind name optionsSchema } jobSpecSchema } }",
    );
    const found = new Map(catalog.components.map((entry) => [`${entry.kind} ${entry.name}`, entry]));
    expect(found.get("model project-then-sage")?.optionsSchema.properties).toHaveProperty("width");
    expect(found.get("sampler equal-fanout")?.optionsSchema.properties).toHaveProperty("fanout");
    expect(found.has("reader json-lines")).toBe(true);
    expect(found.get("task ordered-classes")?.optionsSchema.properties).toHaveProperty("tolerance");
    expect(found.get("step degree-report")?.optionsSchema.properties).toHaveProperty("factor");
    expect(JSON.stringify(catalog.jobSpecSchema)).toContain("project-then-sage");
    expect(JSON.stringify(catalog.jobSpecSchema)).toContain('"val/distance"');
  });

  it("do their work in a job: the reader reads, the sampler draws, the model trains, the step reports", async () => {
    const dataset = await ringDataset();
    const job = await client.finished(
      await client.submit({
        dataset,
        task: { target: "half" },
        model: { type: "project-then-sage", options: { width: 8 } },
        sampling: { type: "equal-fanout", options: { fanout: 2 } },
        train: { epochs: 30, optimizer: { options: { lr: 0.05 } } },
        outputs: { steps: [{ type: "degree-report", options: { factor: 10 } }] },
      }),
    );
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    const model = job.artifacts.find(({ kind }) => kind === "model");
    expect((model?.info.metrics as Record<string, number> | undefined)?.["test/accuracy"]).toBeGreaterThan(0.9);
    // Every node of a ring has two neighbours.
    expect(JSON.parse(new TextDecoder().decode(await client.blob(job, "degree-report", "report.json")))).toEqual({
      meanDegree: 2 * 10,
    });
  });

  it("learn a task of one's own: it is offered, estimated, trained, evaluated, exported and told how to be shown", async () => {
    const dataset = await ringDataset();
    const { latest } = (
      await client.graphql<{ dataset: { latest: { tasks: { label: string; task: Record<string, unknown> }[] } } }>(
        "query($id: ID!) { dataset(id: $id) { latest { tasks { label task } } } }",
        { id: dataset },
      )
    ).dataset;
    const { task } = latest.tasks.find(({ label }) => label === "Order: half") ?? {};
    expect(task).toEqual({ type: "ordered-classes", target: "half" });
    const spec = {
      dataset,
      task,
      train: { epochs: 30, optimizer: { options: { lr: 0.05 } }, earlyStopping: { metric: "val/met", patience: 30 } },
      outputs: { predictions: { formats: ["csv"] } },
    };
    const { estimateJob } = await client.graphql<{ estimateJob: { fits: boolean } }>(
      "query($spec: JobSpecInput!) { estimateJob(spec: $spec) { fits } }",
      { spec: { version: 1, kind: "train", ...spec } },
    );
    expect(estimateJob.fits).toBe(true);

    const job = await client.finished(await client.submit(spec));
    expect(job.state, JSON.stringify(job.problem)).toBe("SUCCEEDED");
    const infoOf = (kind: string) => job.artifacts.find((artifact) => artifact.kind === kind)?.info;
    const metrics = infoOf("model")?.metrics as Record<string, number>;
    expect(metrics["test/met"]).toBeGreaterThan(0.9);
    expect(infoOf("model")?.task).toEqual({
      type: "ordered-classes",
      target: "half",
      tolerance: 0.5,
      inductive: false,
    });
    const csv = new TextDecoder().decode(await client.blob(job, "exports", "predictions.csv"));
    const [head, ...rows] = csv.trimEnd().split("\n");
    expect(head).toBe("id,split,label,nearest,place");
    // Counted once more from what the user downloads: classes are numbered in the order of their names.
    const tested = rows.map((row) => row.split(",")).filter(([, split]) => split === "test");
    const distances = tested.map(([, , label, , place]) => Math.abs(Number(place) - (label === "right" ? 1 : 0)));
    const met = distances.filter((distance) => distance <= 0.5).length / tested.length;
    expect(tested.length).toBe(20);
    expect(metrics["test/met"]).toBeCloseTo(met, 6);
    expect((infoOf("remapped")?.metrics as Record<string, number> | undefined)?.["test/met"]).toBeCloseTo(met, 6);

    const shown = await client.graphql<{ job: { task: unknown } }>(
      "query($id: ID!) { job(id: $id) { task { chiefMetric selectionMetric metrics { name title shownAs } } } }",
      { id: job.id },
    );
    expect(shown.job.task).toMatchObject({
      chiefMetric: "met",
      selectionMetric: "distance",
      metrics: [{ name: "met", title: "Classes met", shownAs: "percent" }, { name: "distance" }, { name: "loss" }],
    });
  });
});

/** A ring whose halves differ in label and feature. */
function writeRing(dir: string, numNodes: number): string[] {
  const lines = (make: (i: number) => unknown) =>
    Array.from({ length: numNodes }, (_, i) => `${JSON.stringify(make(i))}\n`).join("");
  const use = (i: number) => ["train", "val", "test"][i % 3];
  const half = (i: number) => (i < numNodes / 2 ? "left" : "right");
  const paths = [join(dir, "edges.jsonl"), join(dir, "nodes.jsonl")];
  writeFileSync(
    paths[0] ?? "",
    lines((i) => ({ from: `n${i}`, to: `n${(i + 1) % numNodes}` })),
  );
  writeFileSync(
    paths[1] ?? "",
    lines((i) => ({ node: `n${i}`, half: half(i), use: use(i), x: half(i) === "left" ? 1 : -1 })),
  );
  return paths;
}
