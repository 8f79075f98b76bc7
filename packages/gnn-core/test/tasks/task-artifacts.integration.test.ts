import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasLabel, type LabelSets } from "../../src/graph/label-sets.ts";
import { mapLabelSets } from "../../src/io/label-set-files.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { readNpy } from "../../src/io/npy.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const files = {
  "edges.csv": "src,dst\na,b\nb,c\nc,d\nd,a\na,c\n",
  "nodes.csv": [
    "id,genres,is_x,is_y,price,area,split,f0",
    'a,"pop| rock ",1,0,10.5,,train,1',
    "b,rock,1,true,-2,3,train,2",
    "c,,,,,,test,3",
    "d,folk,0,0,4,1,test,4",
  ].join("\n"),
  "labels.csv": "who,genre\nd,folk\na,rock\na,pop\na,rock\n",
};
const edges = { files: ["edges.csv"], src: "src", dst: "dst" };
const base = { files: ["nodes.csv"], id: "id", split: "split", features: { columns: ["f0"] } };

async function ingest(nodes: object, contents: Record<string, string> = files): Promise<ArtifactDir> {
  return runStep(ingestStep, { files: await filesArtifact(contents) }, { edges, nodes: { ...base, ...nodes } });
}

const setsOf = ({ dir, manifest }: ArtifactDir) =>
  mapLabelSets(join(dir, "nodes"), (manifest.info["classes"] as string[]).length);

/** The labels of each node by name; null: not known */
function namesOf(sets: LabelSets, classes: readonly string[]): (string[] | null)[] {
  return Array.from(sets.known, (known, node) =>
    known === 1 ? classes.filter((_, c) => hasLabel(sets, node, c)) : null,
  );
}

test.each([
  [{ label: "genres", labelSeparator: "|" }, [["pop", "rock"], ["rock"], null, ["folk"]]],
  [{ labelColumns: ["is_y", "is_x"] }, [["is_x"], ["is_x", "is_y"], null, []]],
  [{ labelFile: { files: ["labels.csv"], node: "who", label: "genre" } }, [["pop", "rock"], null, null, ["folk"]]],
])("%j gives every node its labels, and leaves the others unknown", async (nodes, expected) => {
  const graph = await ingest(nodes);
  const classes = graph.manifest.info["classes"] as string[];
  expect(graph.manifest.info["multiLabel"]).toBe(true);
  expect(namesOf(setsOf(graph), classes)).toEqual(expected);
  const counts = classes.map((label) => ({ label, count: expected.filter((set) => set?.includes(label)).length }));
  expect(graph.manifest.info["labelCounts"]).toEqual(counts);
});

test("numeric targets keep what is not known, and are described", async () => {
  const graph = await ingest({ targets: ["price", "area"] });
  const { values } = await readNpy(join(graph.dir, "nodes/targets.npy"), "float32");
  expect([...values]).toEqual([10.5, Number.NaN, -2, 3, Number.NaN, Number.NaN, 4, 1]);
  expect(graph.manifest.info["targets"]).toMatchObject([
    { name: "price", count: 3, min: -2, max: 10.5, mean: expect.closeTo(12.5 / 3, 6) },
    { name: "area", count: 2, mean: 2, deviation: 1 },
  ]);
});

const bad = (row: string) => ({ ...files, "nodes.csv": files["nodes.csv"].replace("d,folk,0,0,4,1", row) });
test.each([
  ["a cell that is neither 0 nor 1", { labelColumns: ["is_x", "is_y"] }, bad("d,folk,2,0,4,1"), "is_x", "2"],
  [
    "a half-empty row of label columns",
    { labelColumns: ["is_x", "is_y"] },
    bad("d,folk,0,,4,1"),
    "is_y",
    "neither 0 nor 1",
  ],
  ["an infinite target", { targets: ["price"] }, bad("d,folk,0,0,1e39,1"), "price", "infinite"],
  [
    "a label of an unknown node",
    { labelFile: { files: ["labels.csv"], node: "who", label: "genre" } },
    { ...files, "labels.csv": "who,genre\nzoe,folk\n" },
    "who",
    "zoe",
  ],
])("%s is refused with its place", async (_what, nodes, contents, field, message) => {
  await expect(ingest(nodes, contents)).rejects.toMatchObject({
    message: expect.stringContaining(message),
    place: { line: expect.any(Number), field },
  });
});

test("labels from two places are refused by the spec", () => {
  const spec = { edges, nodes: { ...base, label: "genres", labelColumns: ["is_x"] } };
  expect(ingestStep.options.safeParse(spec).error?.issues[0]?.path).toEqual(["nodes", "label"]);
  const separator = { edges, nodes: { ...base, labelSeparator: "|" } };
  expect(ingestStep.options.safeParse(separator).error?.issues[0]?.path).toEqual(["nodes", "labelSeparator"]);
});

async function predictions(nodes: object, task: object, features: object = {}): Promise<string[][]> {
  const graph = await ingest(nodes);
  const partition = { partition: { type: "random", options: { numParts: 2, seed: 3 } }, split: { type: "column" } };
  const parts = await runStep(partitionStep, { graph }, partition);
  const options = { task, features, model: { type: "sage", options: { hiddenFeats: 4 } }, train: { epochs: 2 } };
  const model = await runStep(trainStep, { parts }, { ...options, sampling: { type: "full" } });
  const inferred = await runStep(inferStep, { parts, model }, {});
  const remapped = await runStep(remapStep, { graph, parts, inferred }, {});
  const trained = model.manifest.info["metrics"] as Record<string, number>;
  for (const [metric, value] of Object.entries(remapped.manifest.info["metrics"] as Record<string, number | null>)) {
    if (metric.startsWith("test/") && value !== null) expect(trained[metric]).toBeCloseTo(value, 4);
  }
  const formats = { embeddings: { formats: [] }, predictions: { formats: ["csv", "parquet", "arrow"] } };
  const exports = await runStep(exportStep, { graph, remapped }, formats);
  const text = readFileSync(join(exports.dir, "predictions.csv"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
}

test("several labels go through the parts and come out by name, each with its probability", {
  timeout: 20_000,
}, async () => {
  const task = { type: "nodeMultiLabel", target: "genres", threshold: 0.001 };
  const [header, ...rows] = await predictions({ label: "genres", labelSeparator: "|" }, task);
  expect(header).toEqual(["id", "split", "label", "predicted", "p_folk", "p_pop", "p_rock"]);
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ["a", "train", "pop|rock", "folk|pop|rock"],
    ["b", "train", "rock", "folk|pop|rock"],
    ["c", "test", "", "folk|pop|rock"],
    ["d", "test", "folk", "folk|pop|rock"],
  ]);
  for (const row of rows) for (const p of row.slice(4)) expect(Number(p)).toBeGreaterThan(0.001);
});

test("numbers come out in their own units beside what was known, on features made from the edges", {
  timeout: 20_000,
}, async () => {
  const task = { type: "nodeRegression", target: ["area", "price"] };
  const [header, ...rows] = await predictions({ targets: ["price", "area"], features: null }, task, {
    structural: { dim: 4, hops: 2 },
  });
  expect(header).toEqual(["id", "split", "target_area", "predicted_area", "target_price", "predicted_price"]);
  expect(rows.map((row) => [row[0], row[2], row[4]])).toEqual([
    ["a", "", "10.5"],
    ["b", "3", "-2"],
    ["c", "", ""],
    ["d", "1", "4"],
  ]);
  for (const row of rows)
    for (const cell of [row[3], row[5]]) expect(Number.isFinite(Number(cell || Number.NaN))).toBe(true);
});

test("a graph without features is refused unless some are to be made", async () => {
  const task = { type: "nodeRegression", target: "price" };
  await expect(predictions({ targets: ["price"], features: null }, task)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/features/structural" },
  });
});
