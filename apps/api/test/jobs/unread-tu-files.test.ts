import { resolveJobSpec } from "@hopwise/contracts";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { unreadColumns } from "../../src/jobs/unread-columns.ts";

const registry = await loadRegistry([]);

function found(model: string, edges: object): string[] {
  const task = { type: "graphClassification", target: "label" };
  const spec = resolveJobSpec({ version: 1, kind: "train", dataset: "ds_1", task, model: { type: model } }, registry);
  const files = { edges: "DS_A.txt", graphIndicator: "DS_graph_indicator.txt", graphLabels: "DS_graph_labels.txt" };
  return unreadColumns(spec, { version: 1, tu: { ...files, ...edges } }, registry);
}

const edgeLabels = "DS_edge_labels.txt";
const edgeAttributes = "DS_edge_attributes.txt";

test("labels of TU's edges are warned of where the model does not tell types apart", () => {
  const unread = /^The file DS_edge_labels.txt holds types of edges, which the model gin does not tell apart.*rgcn/;
  expect(found("gin", { edgeLabels })).toEqual([expect.stringMatching(unread)]);
  expect(found("rgcn", { edgeLabels })).toEqual([]);
});

test("attributes of TU's edges are warned of, which no task on whole graphs reads", () => {
  const unread =
    /^The file DS_edge_attributes.txt holds features of edges, which tasks on classes and numbers of edges/;
  for (const model of ["gin", "rgcn"]) {
    expect(found(model, { edgeAttributes })).toEqual([expect.stringMatching(unread)]);
  }
  expect(found("gin", {})).toEqual([]);
});
