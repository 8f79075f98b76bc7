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

  it("appear in the catalogue with the schema that forms are drawn from", async () => {
    const { catalog } = await client.graphql<{ catalog: { components: Entry[]; jobSpecSchema: unknown } }>(
      "{ catalog { components { kind name optionsSchema } jobSpecSchema } }",
    );
    const found = new Map(catalog.components.map((entry) => [`${entry.kind} ${entry.name}`, entry]));
    expect(found.get("model project-then-sage")?.optionsSchema.properties).toHaveProperty("width");
    expect(found.get("sampler equal-fanout")?.optionsSchema.properties).toHaveProperty("fanout");
    expect(found.has("reader json-lines")).toBe(true);
    expect(found.get("step degree-report")?.optionsSchema.properties).toHaveProperty("factor");
    expect(JSON.stringify(catalog.jobSpecSchema)).toContain("project-then-sage");
  });

  it("do their work in a job: the reader reads, the sampler draws, the model trains, the step reports", async () => {
    const files = writeRing(dir, 60);
    const dataset = await client.makeDataset("ring", files, {
      edges: { files: ["edges.jsonl"], src: "from", dst: "to" },
      nodes: { files: ["nodes.jsonl"], id: "node", label: "half", split: "use", features: { columns: ["x"] } },
    });
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
