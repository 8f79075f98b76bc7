import { datasetSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { graphSetMappingOf, specOfSet } from "../../src/services/graph-set-mapping.ts";
import { previewFile } from "../support/preview-file.ts";

const edges = previewFile("bonds.csv", [
  ["src", "src"],
  ["dst", "dst"],
]);
const nodes = previewFile("atoms.csv", [
  ["id", "id"],
  ["mol", "graph"],
  ["x", "feature"],
]);
const charges = previewFile("charges.csv", [
  ["id", "id"],
  ["charge", "feature"],
]);
const graphs = previewFile("molecules.csv", [
  ["mol", "id"],
  ["toxic", "label"],
]);
const files = [edges, nodes, charges, graphs];
const joins = [{ files: ["charges.csv"], id: "id", columns: [{ column: "charge", as: "q" }] }];

const spec = (join: unknown, features: readonly string[]) =>
  datasetSpec.parse({
    edges: { files: ["bonds.csv"], src: "src", dst: "dst" },
    nodes: { files: ["atoms.csv"], id: "id", graph: "mol", features: { columns: features }, join },
    graphs: { files: ["molecules.csv"], id: "mol", label: "toxic" },
  });

const nodesOf = (mapping: ReturnType<typeof graphSetMappingOf>) => {
  const result = specOfSet(mapping);
  return "spec" in result ? result.spec.nodes : result.missing;
};

test("tables that are joined to the nodes of a set of graphs stay, with the features that they bring", () => {
  const mapping = graphSetMappingOf(files, spec(joins, ["x", "q"]));
  expect(nodesOf(mapping)).toMatchObject({ join: joins, features: { columns: ["x", "q"] } });
});

test("a joined table that brings all of its columns brings those that are no other table's", () => {
  const all = [{ files: ["charges.csv"], id: "id" }];
  expect(nodesOf(graphSetMappingOf(files, spec(all, ["x", "charge"])))).toMatchObject({
    join: all,
    features: { columns: ["x", "charge"] },
  });
});

test("a joined table that is given another use is joined no more, and its features are gone", () => {
  const mapping = graphSetMappingOf(files, spec(joins, ["x", "q"]));
  const moved = { ...mapping, uses: { ...mapping.uses, "charges.csv": "nodes" as const } };
  const found = nodesOf(moved);
  expect(found).toMatchObject({ features: { columns: ["x"] } });
  expect(found).not.toHaveProperty("join");
});
