import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.ts";
import { Stack } from "../support/stack.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = readFileSync(join(root, "docs/guides/model-of-your-own.md"), "utf8");

/** The guide's own command, for another folder. */
function compileCommand(folder: string): string {
  const command = /^node_modules\/\.bin\/tsc .*$/m.exec(guide)?.[0];
  if (!command?.includes("--outDir my-components")) throw new Error("The guide no longer says how to compile a model.");
  return command.replace("--outDir my-components", `--outDir ${folder}`);
}

describe("the model of the guide, one TypeScript file", () => {
  // Inside the repository, as the compiled file imports packages from node_modules above it.
  const folder = mkdtempSync(join(root, "node_modules/.own-model-"));
  const dir = mkdtempSync(join(tmpdir(), "hw-own-model-"));
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    execFileSync("bash", ["-c", compileCommand(folder)], { cwd: root });
    stack = await Stack.startOnServer({ HOPWISE_COMPONENTS: folder });
    client = stack.client;
  });
  afterAll(async () => {
    await stack?.stop();
    for (const each of [folder, dir]) rmSync(each, { recursive: true, force: true });
  });

  it("compiles with its types checked, and is in the catalogue with its options", async () => {
    expect(readdirSync(folder)).toEqual(["difference.model.js"]);
    const { catalog } = await client.graphql<{ catalog: { components: { name: string; optionsSchema: object }[] } }>(
      "{ catalog { components { name optionsSchema } } }",
    );
    const found = catalog.components.find(({ name }) => name === "difference");
    expect(found?.optionsSchema).toHaveProperty("properties.hiddenFeats");
  });

  it("learns in a job and gives every node an embedding", async () => {
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, {
      numNodes: 400,
      numEdges: 2000,
      numClasses: 3,
      featureDim: 16,
      signal: 2,
    });
    const dataset = await client.makeDataset("own-model", [edgesFile, nodesFile]);
    const job = await client.finished(
      await client.submit({
        dataset,
        task: { target: "label" },
        model: { type: "difference", options: { hiddenFeats: 16, dropout: 0.1 } },
        sampling: { type: "neighbor", options: { fanouts: [5, 5] } },
        train: { epochs: 10, batchSize: 64, optimizer: { options: { lr: 0.02 } } },
      }),
    );
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    const model = job.artifacts.find(({ kind }) => kind === "model");
    // Three fields: guessing gives 1/3.
    const metrics = model?.info.metrics as Record<string, number> | undefined;
    expect(metrics?.["test/accuracy"]).toBeGreaterThan(0.6);
    const inferred = job.artifacts.find(({ kind }) => kind === "inferred");
    expect(inferred?.info.dim).toBe(16);
  });
});
