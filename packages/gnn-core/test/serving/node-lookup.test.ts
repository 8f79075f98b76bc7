import { expect, it } from "vitest";
import { NodeLookup } from "../../src/serving/node-lookup.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

async function lookupOf(ids: readonly string[]): Promise<NodeLookup> {
  const files = await filesArtifact({
    "nodes.csv": `id\n${ids.join("\n")}\n`,
    "edges.csv": `src,dst\n${ids[0]},${ids[1]}\n`,
  });
  const spec = {
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id" },
  };
  return NodeLookup.open(await runStep(ingestStep, { files }, spec));
}

const count = 3000;

it.each([
  ["multiples of a power of two", (i: number) => String(i * 65_536), "65537"],
  ["negative and large numbers", (i: number) => String(i % 2 ? -i * 1_000_003 : i * 4_000_000_007_000), "00"],
  ["texts", (i: number) => `user-${i}/é🦉`, "user-"],
  ["numbers and texts", (i: number) => (i % 2 ? `0${i}` : String(i)), "1"],
])("finds each of %s, and nothing else", async (_, idOf, unknown) => {
  const ids = Array.from({ length: count }, (_, i) => idOf(i));
  const lookup = await lookupOf(ids);
  expect(lookup.numNodes).toBe(count);
  expect(ids.map((id) => lookup.rowOf(id))).toEqual(ids.map((_, row) => row));
  expect(ids.map((_, row) => lookup.idAt(row))).toEqual(ids);
  for (const id of [unknown, "", "nobody", "1e5", `${2n ** 70n}`]) expect(lookup.rowOf(id)).toBe(-1);
});
