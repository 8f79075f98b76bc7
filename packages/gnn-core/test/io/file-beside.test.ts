import { describe, expect, it } from "vitest";
import { datasetSpec } from "../../src/io/dataset-spec.ts";
import { withFileBeside } from "../../src/io/preview/file-beside.ts";

const typed = datasetSpec.parse({
  nodeTypes: {
    paper: { files: ["papers.csv", "more.csv"], id: "id" },
    person: {
      files: ["shop.zip/people.csv"],
      id: "id",
      labelFile: { files: ["shop.zip/l.csv"], node: "id", label: "l" },
    },
  },
  relations: [
    {
      source: "person",
      name: "wrote",
      target: "paper",
      files: ["wrote.csv", "shop.zip/wrote.csv"],
      src: "a",
      dst: "p",
      label: "kind",
      splitFiles: { val: ["wrote.csv"], test: ["shop.zip/wrote.csv"] },
    },
  ],
});

describe("a file that is read beside another", () => {
  it("comes behind the files of its section, and leaves the others and the spec that was given alone", () => {
    const given = structuredClone(typed);
    const grown = withFileBeside(typed, "papers-2.csv", "papers.csv");
    expect(grown).toEqual({
      ...given,
      nodeTypes: {
        ...given.nodeTypes,
        paper: { ...given.nodeTypes!["paper"], files: ["papers.csv", "more.csv", "papers-2.csv"] },
      },
    });
    expect(typed).toEqual(given);
  });

  it("is of the same side of the split", () => {
    const grown = withFileBeside(typed, "wrote-2.csv", "wrote.csv");
    expect(grown?.relations?.[0]).toMatchObject({
      files: ["wrote.csv", "shop.zip/wrote.csv", "wrote-2.csv"],
      splitFiles: { val: ["wrote.csv", "wrote-2.csv"], test: ["shop.zip/wrote.csv"] },
    });
  });

  it("is read wherever files of the archive are whose name it wanted", () => {
    const grown = withFileBeside(typed, "shop-2.zip", "shop.zip");
    expect(grown?.nodeTypes?.["person"]).toMatchObject({
      files: ["shop.zip/people.csv", "shop-2.zip/people.csv"],
      labelFile: { files: ["shop.zip/l.csv", "shop-2.zip/l.csv"] },
    });
    expect(grown?.relations?.[0]?.splitFiles?.test).toEqual(["shop.zip/wrote.csv", "shop-2.zip/wrote.csv"]);
    expect(datasetSpec.parse(grown)).toEqual(grown);
  });

  it("is joined where the other is, and lists ids where the other does", () => {
    const list = (file: string) => ({ files: [file], id: "id" });
    const nodes = {
      ...list("nodes.csv"),
      join: [list("labels.csv")],
      splitFiles: { train: list("train.csv"), test: list("test.csv") },
    };
    const joined = datasetSpec.parse({ edges: { files: ["edges.csv"], src: "a", dst: "b" }, nodes });
    expect(withFileBeside(joined, "labels-2.csv", "labels.csv")?.nodes?.join).toEqual([
      { files: ["labels.csv", "labels-2.csv"], id: "id" },
    ]);
    expect(withFileBeside(joined, "test-2.csv", "test.csv")?.nodes?.splitFiles).toEqual({
      train: list("train.csv"),
      test: { files: ["test.csv", "test-2.csv"], id: "id" },
    });
  });

  it("has no place where no such file is read, or where a matrix counts the rows", () => {
    expect(withFileBeside(typed, "shop.zip-2", "shop")).toBeNull();
    const edges = { files: ["edges.csv"], src: "a", dst: "b" };
    const matrix = datasetSpec.parse({ edges, nodes: { files: ["nodes.csv"], id: "id", features: { file: "x.npy" } } });
    expect(withFileBeside(matrix, "nodes-2.csv", "nodes.csv")).toBeNull();
    expect(withFileBeside(matrix, "x-2.npy", "x.npy")).toBeNull();
    expect(withFileBeside(matrix, "edges-2.csv", "edges.csv")?.edges?.files).toEqual(["edges.csv", "edges-2.csv"]);
  });
});
