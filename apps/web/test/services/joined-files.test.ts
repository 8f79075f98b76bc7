import { datasetSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { fittingSpec, mappingFromPreview } from "../../src/services/dataset-mapping.ts";
import { joinedView, withJoinedFile, withJoinedRole } from "../../src/services/joined-files.ts";
import { specFromMapping } from "../../src/services/spec-from-mapping.ts";
import { previewFile } from "../support/preview-file.ts";

const edges = previewFile("edges.csv", [
  ["a", "src"],
  ["b", "dst"],
]);
const users = previewFile("users.csv", [
  ["user", "id"],
  ["x", "feature"],
]);
const labels = previewFile("labels.csv", [
  ["who", "id"],
  ["x", "feature"],
  ["job", "label"],
]);
const train = previewFile("train.csv", [["user", "id"]]);
const files = [edges, users, labels, train];

const spec = datasetSpec.parse({
  edges: { files: ["edges.csv"], src: "a", dst: "b" },
  nodes: {
    files: ["users.csv"],
    id: "user",
    label: "job",
    features: { columns: ["x", "earlier"] },
    join: [{ files: ["labels.csv"], id: "who", columns: [{ column: "x", as: "earlier" }, "job"], unknown: "drop" }],
    splitFiles: { train: { files: ["train.csv"], id: "user" } },
  },
});

const specOf = (mapping: ReturnType<typeof mappingFromPreview>) => {
  const result = specFromMapping(files, mapping);
  return "spec" in result ? datasetSpec.parse(result.spec) : result.missing;
};

test("a spec that joins tables and lists ids is mapped and comes back as it was", () => {
  const mapping = mappingFromPreview(files, spec);
  expect(mapping.uses).toMatchObject({ "labels.csv": "joined", "train.csv": "trainIds" });
  expect(specOf(mapping)).toEqual(spec);
  expect(fittingSpec(files, spec, spec)).toBe(spec);
  expect(fittingSpec([edges, users, labels], spec, null)).toBeNull();
});

test("a joined table is shown by the names that its columns have among the nodes'", () => {
  const { file, chosen } = joinedView(labels, mappingFromPreview(files, spec));
  expect(file.columns.map(({ name }) => name)).toEqual(["who", "earlier", "job"]);
  expect(chosen).toEqual({ who: "id", earlier: "feature", job: "label" });
});

test("ids of a joined table are shown by their own name, whatever the ids of the nodes are called", () => {
  const scores = previewFile("user_labels.csv", [
    ["user", "id"],
    ["job", "label"],
  ]);
  const joined = withJoinedFile(mappingFromPreview([edges, users], null), scores, [edges, users, scores]);
  const { file, chosen } = joinedView(scores, joined);
  expect(file.columns.map(({ name }) => name)).toEqual(["user", "job"]);
  expect(chosen).toEqual({ user: "id", job: "label" });
  const left = withJoinedRole(joined, scores, "user", "ignore");
  expect(left.joins["user_labels.csv"]).toMatchObject({ id: null });
  // Without being the ids it would be one more column of the nodes, which have a "user" already.
  expect(joinedView(scores, left).chosen).toEqual({ user_user_labels: "ignore", job: "label" });
  const again = withJoinedRole(left, scores, "user_user_labels", "id");
  expect(joinedView(scores, again).chosen).toEqual({ user: "id", job: "label" });
});

test("a table that is chosen to be joined brings its columns under free names, and a role that is taken is left", () => {
  const start = mappingFromPreview([edges, users], null);
  const plain = { ...start, uses: { ...start.uses, "labels.csv": "ignore" as const, "train.csv": "ignore" as const } };
  const joined = withJoinedFile(plain, labels, files);
  expect(specOf(joined)).toMatchObject({
    nodes: {
      label: "job",
      features: { columns: ["x", "x_labels"] },
      join: [{ files: ["labels.csv"], id: "who", columns: [{ column: "x", as: "x_labels" }, "job"] }],
    },
  });
  const relabelled = withJoinedRole(joined, labels, "job", "ignore");
  expect(specOf(relabelled)).toMatchObject({ nodes: { label: null, join: [{ columns: [{ as: "x_labels" }] }] } });
  const noId = withJoinedRole(joined, labels, "who", "ignore");
  expect(specOf(noId)).toEqual(["labels.csv: choose the column with the node id."]);
  const byJob = withJoinedRole(noId, labels, "job", "id");
  expect(specOf(byJob)).toMatchObject({ nodes: { label: null, join: [{ id: "job" }] } });
});

test("lists of ids need one to learn from, and no split column beside them", () => {
  const mapping = mappingFromPreview(files, spec);
  const valOnly = { ...mapping, uses: { ...mapping.uses, "train.csv": "valIds" as const } };
  expect(specOf(valOnly)).toEqual(["Lists of ids need one of those to learn from."]);
  const twoSplits = { ...mapping, nodes: { ...mapping.nodes, x: "split" as const } };
  expect(specOf(twoSplits)).toEqual(["The split is a column or lists of ids: leave one of them out."]);
});

test("a table that is left out takes its roles along: no split of its own stands in the way, and its label is free", () => {
  const mapping = mappingFromPreview(files, spec);
  const withSplit = withJoinedRole(mapping, labels, "earlier", "split");
  const without = { ...withSplit, uses: { ...withSplit.uses, "labels.csv": "ignore" as const } };
  expect(specOf(without)).toMatchObject({ nodes: { label: null, splitFiles: { train: { files: ["train.csv"] } } } });
  const relabelled = { ...without, nodes: { ...without.nodes, x: "label" as const } };
  const again = withJoinedFile({ ...relabelled, lists: {} }, labels, files);
  expect(again.nodes).toMatchObject({ x: "label", job: "ignore" });
});

test("lists of numbers keep their lengths under the names that they have among the nodes'", () => {
  const vectors = previewFile("vectors.csv", [
    ["user", "id"],
    ["x", "feature"],
  ]);
  const wide = { ...vectors, columns: vectors.columns.map((one) => (one.name === "x" ? { ...one, width: 8 } : one)) };
  const joined = withJoinedFile(mappingFromPreview([edges, users], null), wide, [edges, users, wide]);
  const result = specFromMapping([edges, users, wide], joined);
  expect("spec" in result && result.spec.nodes?.features).toMatchObject({
    columns: ["x", "x_vectors"],
    widths: { x_vectors: 8 },
  });
});

test("files of nodes and joined ones that are a side of the split as well come back as they were, and can lose it", () => {
  const [rows, more] = [users, labels];
  const sided = datasetSpec.parse({
    edges: { files: ["edges.csv"], src: "a", dst: "b" },
    nodes: {
      files: ["users.csv"],
      id: "user",
      label: "job",
      join: [{ files: ["labels.csv"], id: "who", columns: ["job"] }],
      splitFiles: { train: { files: ["users.csv"], id: "user" }, test: { files: ["labels.csv"], id: "who" } },
    },
  });
  const mapping = mappingFromPreview(files, sided);
  expect(mapping.uses).toMatchObject({ "users.csv": "nodes", "labels.csv": "joined" });
  expect(mapping.sides).toEqual({ "users.csv": "trainIds", "labels.csv": "testIds" });
  expect(specOf(mapping)).toEqual(sided);
  expect(specOf({ ...mapping, sides: { [rows.name]: "trainIds" as const } })).toMatchObject({
    nodes: { splitFiles: { train: { files: ["users.csv"] } } },
  });
  expect(specOf({ ...mapping, sides: { [more.name]: "testIds" as const } })).toEqual([
    "Lists of ids need one of those to learn from.",
  ]);
});

test("a column of indices of features is mapped and comes back, with how many there are", () => {
  const lists = previewFile("features.json", [
    ["key", "id"],
    ["value", "multiHot"],
  ]);
  const all = [edges, users, lists];
  const listed = datasetSpec.parse({
    edges: { files: ["edges.csv"], src: "a", dst: "b" },
    nodes: {
      files: ["users.csv"],
      id: "user",
      features: { columns: ["x"], multiHot: "value", widths: { value: 40 } },
      join: [{ files: ["features.json"], id: "key", columns: ["value"], reader: { type: "json-lists", options: {} } }],
    },
  });
  const result = specFromMapping(all, mappingFromPreview(all, listed));
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(listed);
  const start = mappingFromPreview([edges, users], null);
  const joined = withJoinedFile({ ...start, uses: { ...start.uses, "features.json": "ignore" } }, lists, all);
  const chosen = specFromMapping(all, joined);
  expect("spec" in chosen && chosen.spec.nodes?.features).toMatchObject({ columns: ["x"], multiHot: "value" });
});
