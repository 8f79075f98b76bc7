import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { vectorsInfo } from "../../src/spec/vector-options.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { readVectorsStep } from "../../src/steps/read-vectors.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numNodes = 60;
const dim = 3;
const idOf = (node: number) => `n${node}`;
const splitOf = (node: number) => ["train", "train", "val", "test"][node % 4];
const nodes = Array.from({ length: numNodes }, (_, node) => `${idOf(node)},${node % 2 ? "a" : "b"},${splitOf(node)}`);
const edges = Array.from({ length: numNodes }, (_, node) => `${idOf(node)},${idOf((node + 2) % numNodes)}`);
/** All but every fifth node have one; float32 holds halves exactly. */
const vectorOf = (node: number) => [node + 0.5, -node, node / 2];
const withVector = Array.from({ length: numNodes }, (_, node) => node).filter((node) => node % 5 !== 0);
const rowsOf = (cell: (numbers: number[]) => string) =>
  withVector.toReversed().map((node) => `${idOf(node)},${cell(vectorOf(node))}`);

const contents = {
  "nodes.csv": `id,label,split\n${nodes.join("\n")}\n`,
  "edges.csv": `src,dst\n${edges.join("\n")}\n`,
  "columns.csv": `id,d0,d1,d2\n${rowsOf((v) => v.join(",")).join("\n")}\nnobody,1,2,3\nn0,,,\n`,
  "lists.csv": `key,vec\n${rowsOf((v) => `"[${v.join(", ")}]"`).join("\n")}\n`,
  "twice.csv": "id,d0,d1,d2\nn1,1,2,3\nn2,1,2,3\nn1,4,5,6\n",
  "half.csv": "id,d0,d1,d2\nn1,1,,3\n",
  "strangers.csv": "id,d0,d1,d2\n1,1,2,3\n2,1,2,3\n",
};

let files: ArtifactDir;
let graph: ArtifactDir;
let parts: ArtifactDir;
beforeAll(async () => {
  files = await filesArtifact(contents);
  graph = await runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split" },
    },
  );
  parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });
});

const read = (options: object) => runStep(readVectorsStep, { files, graph, parts }, { dim, ...options });

async function nodeMapOf(): Promise<Int32Array> {
  return (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
}

describe("vectors by the nodes' ids", () => {
  test.each<[string, object]>([
    ["a column for each number", { file: "columns.csv" }],
    ["columns that are named", { file: "columns.csv", columns: ["d0", "d1", "d2"] }],
    ["lists", { file: "lists.csv", id: "key" }],
  ])("come into the order of the parts from %s, and the others are counted", async (_what, options) => {
    const made = await read(options);
    const { values } = await readNpy(join(made.dir, "vectors.npy"), "float32");
    const { values: known } = await readNpy(join(made.dir, "known.npy"), "int8");
    for (const [globalId, node] of (await nodeMapOf()).entries()) {
      const isKnown = node % 5 !== 0;
      expect(known[globalId]).toBe(isKnown ? 1 : 0);
      const row = values.subarray(globalId * dim, (globalId + 1) * dim);
      expect([...row]).toEqual(isKnown ? vectorOf(node).map((value) => (value === 0 ? 0 : value)) : [0, 0, 0]);
    }
    const isOfColumns = "file" in options && options.file === "columns.csv";
    expect(vectorsInfo.parse(made.manifest.info)).toEqual({
      numNodes,
      dim,
      numKnown: 48,
      numMissing: 12,
      numUnknownIds: isOfColumns ? 1 : 0,
      unknownIds: isOfColumns ? ["nobody"] : [],
    });
  });

  test.each<[string, object, string, RegExp]>([
    [
      "no such file",
      { file: "none.csv" },
      "DATASET_FILE_MISSING",
      /vectors\/file: no file .* "none\.csv"; there are: nodes/,
    ],
    [
      "no such column",
      { file: "lists.csv" },
      "DATASET_COLUMN_MISSING",
      /lists\.csv has no column "id"; it has key, vec/,
    ],
    [
      "another width",
      { file: "columns.csv", dim: 4 },
      "SPEC_INVALID",
      /^\/features\/embedding\/vectors\/columns: 3 columns/,
    ],
    [
      "lists of another width",
      { file: "lists.csv", id: "key", dim: 2 },
      "DATASET_VALUE_INVALID",
      /line 2.*3 numbers, expected 2/,
    ],
    ["an id twice", { file: "twice.csv" }, "DATASET_DUPLICATE", /twice\.csv, line 4, column "id": the id "n1"/],
    [
      "half a vector",
      { file: "half.csv" },
      "DATASET_VALUE_INVALID",
      /half\.csv, line 2.*number 2 of the vector is empty/,
    ],
    ["ids of nobody", { file: "strangers.csv" }, "DATASET_NODE_UNKNOWN", /its ids are "1", "2"/],
  ])("are refused with their place: %s", async (_what, options, code, message) => {
    await expect(read(options)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe("learned rows that begin as vectors", () => {
  const trainOptions = (vectors: object | null, lr = 0.1) => ({
    task: { target: "label" },
    model: { type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } },
    sampling: { type: "full" },
    features: { embedding: { dim, optimizer: { type: "sparseAdam", options: { lr } }, ...(vectors && { vectors }) } },
    train: { epochs: 2, batchSize: 10, seed: 3 },
  });

  /** Rows by NodeIndex, and the log */
  async function trained(vectors: object | null, worldSize = 1, more: object = {}) {
    const inputs = { parts, ...(vectors && { vectors: await read({ file: "columns.csv" }) }) };
    const messages: StepEvent[] = [];
    const onEvent = (event: StepEvent) => void messages.push(event);
    const options = { ...trainOptions(vectors), ...more };
    const model = await runStepRanks(trainStep, inputs, options, { worldSize, onEvent });
    const { values } = await readNpy(join(model.dir, "node_embedding.npy"), "float32");
    const rows: number[][] = [];
    for (const [globalId, node] of (await nodeMapOf()).entries()) {
      rows[node] = [...values.subarray(globalId * dim, (globalId + 1) * dim)];
    }
    return { rows, messages };
  }

  const file = { file: "columns.csv" };
  let start: number[][] | undefined;
  /** Rows that one rank has learnt */
  let one: number[][] | undefined;

  test("learn on from them, the others from the ordinary start, and the log counts both", async () => {
    const { rows, messages } = await trained(file);
    const { rows: usual } = await trained(null);
    for (const node of withVector) {
      // Twelve steps of Adam at 0.1 move a number by about 1.2 at most.
      for (const [i, value] of vectorOf(node).entries()) expect(Math.abs(rows[node]![i]! - value)).toBeLessThan(2);
    }
    expect(withVector.some((node) => rows[node]!.some((value, i) => value !== vectorOf(node)[i]))).toBe(true);
    for (const node of [0, 5, 10])
      for (const [i, value] of rows[node]!.entries()) expect(Math.abs(value - usual[node]![i]!)).toBeLessThan(2.5);
    const said = messages.find((event) => event.type === "log" && /begin as vectors/.test(event.message));
    expect(said).toMatchObject({ fields: { nodesWithVector: 48, nodesWithout: 12, frozen: false } });
  });

  test.each<[string, number, object]>([
    ["one rank", 1, {}],
    ["two ranks", 2, {}],
    ["two ranks with a part each", 2, { graph: "partitioned" }],
  ])("keep their bits when they are frozen, and the others learn: %s", async (_what, worldSize, more) => {
    const { rows } = await trained({ ...file, frozen: true }, worldSize, more);
    for (const node of withVector) expect(rows[node]).toEqual(vectorOf(node).map((value) => Math.fround(value)));
    // A rate that moves nothing: what rows begin with.
    start ??= (await trained(null, 1, trainOptions(null, 1e-30))).rows;
    one ??= rows;
    for (const node of [0, 5, 10, 15]) {
      expect(rows[node]).not.toEqual(start[node]);
      for (const [i, value] of one[node]!.entries()) expect(rows[node]![i]).toBeCloseTo(value, 3);
    }
  });
});
