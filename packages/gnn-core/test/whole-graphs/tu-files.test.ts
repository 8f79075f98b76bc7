import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GnnError } from "../../src/errors/gnn-error.ts";
import { readTuFiles } from "../../src/whole-graphs/tu-files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hopwise-tu-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A path of three nodes and a pair; labels of nodes 5 and 7, one attribute each. */
const good = {
  A: "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
  graph_indicator: "1\n1\n1\n2\n2\n",
  graph_labels: "1\n-1\n",
  graph_attributes: "0.5\n-2e3\n",
  node_labels: "5\n7\n5\n7\n7\n",
  node_attributes: "0.5, 1\n0, 2\n0, 3\n0, 4\n0, 5\n",
};
let written = 0;

/** @returns the name of a data set with these files in place of the good ones; null: no such file */
async function dataset(changed: Partial<Record<keyof typeof good, string | null>> = {}): Promise<string> {
  const name = `DS${written++}`;
  for (const [part, text] of Object.entries({ ...good, ...changed })) {
    if (text !== null) await writeFile(join(folder, `${name}_${part}.txt`), text);
  }
  return name;
}

test("all files of the layout are read", async () => {
  const { set, features, labels, classes, targets } = await readTuFiles(folder, await dataset());
  expect([...set.offsets]).toEqual([0, 3, 5]);
  expect(set.ids).toEqual(["1", "2"]);
  expect(set.graph.numEdges).toBe(6);
  expect(classes).toEqual(["-1", "1"]);
  expect([...labels!]).toEqual([1, 0]);
  expect(targets).toEqual({ names: ["0"], values: Float32Array.of(0.5, -2000) });
  expect(features.dim).toBe(4);
  expect(features.gather(Int32Array.of(0, 1, 3))).toMatchObject({
    values: Float32Array.of(1, 0, 0.5, 1, 0, 1, 0, 2, 0, 1, 0, 4),
  });
});

test("edges and the graph of each node are enough", async () => {
  const name = await dataset({
    A: "1,2\r\n4,5\r\n\r\n",
    graph_labels: null,
    graph_attributes: null,
    node_labels: null,
    node_attributes: null,
  });
  const found = await readTuFiles(folder, name);
  expect(found).toMatchObject({ labels: null, classes: [], targets: null });
  expect(found.features.dim).toBe(0);
  expect(found.set.graph.numEdges).toBe(4); // both ways
});

test.each([
  [
    "graph ids that jump",
    { graph_indicator: "1\n1\n1\n3\n3\n" },
    "DATASET_VALUE_INVALID",
    "graph_indicator",
    4,
    /2 has no node/,
  ],
  [
    "graph ids that come back",
    { graph_indicator: "1\n1\n2\n1\n2\n" },
    "DATASET_VALUE_INVALID",
    "graph_indicator",
    4,
    /jump/,
  ],
  [
    "graph ids that begin at 0",
    { graph_indicator: "0\n0\n0\n1\n1\n" },
    "DATASET_VALUE_INVALID",
    "graph_indicator",
    1,
    /jump/,
  ],
  ["an edge across two graphs", { A: "1,2\n3,4\n" }, "DATASET_VALUE_INVALID", "A", 2, /joins/],
  ["an edge to no node", { A: "1,2\n1,6\n" }, "DATASET_NODE_UNKNOWN", "A", 2, /no node 6/],
  ["an edge of three ends", { A: "1,2,3\n" }, "DATASET_ROW_INVALID", "A", 1, /3 values/],
  ["a text for a number", { node_labels: "5\nx\n5\n7\n7\n" }, "DATASET_VALUE_INVALID", "node_labels", 2, /"x"/],
  ["a label that is no integer", { graph_labels: "1\n0.5\n" }, "DATASET_VALUE_INVALID", "graph_labels", 2, /0.5/],
  ["a graph too few", { graph_labels: "1\n" }, "DATASET_ROW_INVALID", "graph_labels", 2, /1 lines; expected 2/],
  [
    "a node too many",
    { node_attributes: "1\n2\n3\n4\n5\n6\n" },
    "DATASET_ROW_INVALID",
    "node_attributes",
    6,
    /expected 5/,
  ],
  ["a blank line", { A: "1,2\n\n4,5\n" }, "DATASET_ROW_INVALID", "A", 2, /blank/],
  ["an endless line", { A: "1".repeat(200_000) }, "DATASET_LIMIT_EXCEEDED", "A", 1, /longer/],
  ["an empty file", { A: "" }, "DATASET_FILE_EMPTY", "A", undefined, /no bytes/],
  ["no file of edges", { A: null }, "DATASET_FILE_MISSING", "A", undefined, /not there/],
] as const)("%s: refused with file and line", async (_name, changed, code, part, line, message) => {
  const name = await dataset(changed);
  const error = (await readTuFiles(folder, name).catch((refused: GnnError) => refused)) as GnnError;
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(error.place).toEqual({ file: `${name}_${part}.txt`, ...(line !== undefined && { line }) });
});
